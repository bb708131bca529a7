// Writes safetensors.
#pragma once

#include "base/result.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats::safetensors {

// Lays out a file of model.metadata (values must be text) and model.tensors. Sets the tensors'
// offsets and sizes. Tensors keep the order of the table, without gaps; to align each of them, put
// the widest types first. Unsupported for types and metadata that the format does not have.
// BadValue for names that it cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::safetensors
