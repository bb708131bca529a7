// Writes GGUF, version 3.
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::gguf {

// Lays out a file of model.metadata, model.tokenizer and model.tensors, and sets the tensors'
// offsets and sizes. Tensors go in the order of the table, each at a multiple of
// `general.alignment`. Values that were read from a GGUF file and have not changed since keep their
// bytes; new whole numbers become u32 where they fit, others f32. Unsupported or LimitExceeded for
// what the format cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::gguf
