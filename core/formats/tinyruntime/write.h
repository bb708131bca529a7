// Writes all three variants.
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::tinyruntime {

// Lays out a file of the table in model.config (see model/cnn/cnn_table.h) and the tensors that its
// layers have, which must be there with the right types and shapes, and none beside them. Sets the
// tensors' offsets and sizes; parameters go in the order of the tables, without gaps.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::tinyruntime
