// Writes all three variants.
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::tinyruntime {

// Lays out a file of the table in model.config (see model/cnn/cnn_table.h) and its layers' tensors.
// All of them must exist with the right types and shapes, and no others. Sets the tensors' offsets
// and sizes. Parameters follow the order of the tables, without gaps.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::tinyruntime
