// Writes GGUF, version 3.
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Lays out a file of model.metadata, model.tokenizer and model.tensors. Sets the tensors' offsets
// and sizes. Tensors keep the order of the table; each starts at a multiple of `general.alignment`.
// Unchanged values of a GGUF file keep their bytes. New integers become u32 if they fit, other
// numbers f32. Unsupported or LimitExceeded for values that the format cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::gguf
