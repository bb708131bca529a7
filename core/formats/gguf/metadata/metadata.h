// The key-value pairs of a GGUF file. They go to Model::metadata. The vocabulary's arrays would be
// a hundred times as large there, so they go to Model::tokenizer.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Reads `count` pairs from the reader's position on. Sets the model's metadata and tokenizer, and
// metadata_text to the stored pairs, with empty arrays for the vocabulary. When bytes are missing,
// requests `read_ahead` bytes beyond the known size of an array.
[[nodiscard]] Result<void> read_metadata(const io::Source& source, io::ByteReader& reader,
                                         uint64_t count, uint64_t read_ahead,
                                         const model::ReadOptions& options,
                                         io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::gguf
