// The key-value pairs of a GGUF file, as they are written.
#pragma once

#include "base/result.h"
#include "io/byte_writer.h"
#include "model/model.h"

namespace ambry::formats::gguf {

// Number of pairs, then the pairs: those of model.metadata in their order, and after them what of
// model.tokenizer it does not mention.
[[nodiscard]] Result<void> put_metadata(const model::Model& model, io::ByteWriter& writer);

}  // namespace ambry::formats::gguf
