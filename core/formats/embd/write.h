// Writes layout F0.
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::embd {

// Lays out a file of model.metadata (values must be strings), model.tokenizer and model.tensors.
// Sets the tensors' offsets and sizes. Tensors keep the order of the table; each starts at a
// multiple of 64, with zeros between. BadValue or LimitExceeded for values that the format cannot
// hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::embd
