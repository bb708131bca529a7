// Writes the key-value pairs of a GGUF file.
#pragma once

#include "base/result.h"
#include "io/byte_writer.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Writes the number of pairs, then model.metadata in its order, then the parts of model.tokenizer
// that it does not mention.
[[nodiscard]] Result<void> put_metadata(const model::Model& model, io::ByteWriter& writer);

}  // namespace ambry::formats::gguf
