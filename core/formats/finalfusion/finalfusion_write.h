// Writes .fifu files that both reference implementations read (README.md#writing).
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::finalfusion {

// Lays out a file of model.words, the tensors `storage` or `quantized.*`, `norms`, and the
// metadata: the text of a .fifu file byte for byte, or `model.metadata` as TOML. Sets the tensors'
// offsets and sizes. Other tensors or types, and sizes that do not agree, are errors.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::finalfusion
