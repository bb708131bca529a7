// The key-value pairs of a GGUF file: into Model::metadata, and the vocabulary's arrays, which
// would be a hundred times their size there, into Model::tokenizer.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"
#include "model/model.h"

namespace ambry::formats::gguf {

// `count` pairs from the reader's position on; sets the model's metadata and tokenizer, and as
// metadata_text the pairs as they are stored, those of the vocabulary without elements. Where bytes
// are missing, `read_ahead` of them are asked for beyond what an array is known to take.
[[nodiscard]] Result<void> read_metadata(const io::Source& source, io::ByteReader& reader,
                                         uint64_t count, uint64_t read_ahead,
                                         const model::ReadOptions& options,
                                         io::Diagnostics& diagnostics, model::Model& model);

}  // namespace ambry::formats::gguf
