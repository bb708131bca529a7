// Writes safetensors.
#pragma once

#include "base/result.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::formats::safetensors {

// Lays out a file of model.metadata (values must be texts) and model.tensors, and sets the tensors'
// offsets and sizes. Tensors go in the order of the table, without gaps: who wants each of them
// aligned puts the widest types first. Unsupported for types and metadata that the format has no
// words for, BadValue for names that it cannot hold.
[[nodiscard]] Result<model::FileLayout> lay_out(model::Model& model);

}  // namespace ambry::formats::safetensors
