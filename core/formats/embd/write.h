// Writes layout F0.
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::embd {

// Lays out a file of model.metadata (values must be strings), model.tokenizer and model.tensors,
// and sets the tensors' offsets and sizes. Tensors go in the order of the table, each at a multiple
// of 64 with zeros between. BadValue or LimitExceeded for what the format cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::embd
