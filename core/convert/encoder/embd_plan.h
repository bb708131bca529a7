// Converts BERT sentence encoders to EMBD layout F0.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// From safetensors, PyTorch or ONNX with the side files of its directory. On NeedBytes, load the
// bytes and call it again.
[[nodiscard]] Result<Plan> plan_embd(const SourceFiles& sources, const Options& options);
// From EMBD: the other layout, another element type, other metadata, or a rewrite.
[[nodiscard]] Result<Plan> plan_embd_from_embd(const SourceFiles& sources, const Options& options);

// From an encoder that already has EMBD's metadata and names.
[[nodiscard]] Result<Plan> plan_embd_from_model(SourceModel source, const Options& options);

}  // namespace ambry::convert
