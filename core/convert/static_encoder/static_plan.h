// Converts static encoders to EMBD layout F0.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// From safetensors or PyTorch with the side files of a directory that is_static_directory() knows.
// On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<Plan> plan_static(const SourceFiles& sources, const Options& options);

// From EMBD: another element type, fewer dimensions, or other metadata.
[[nodiscard]] Result<Plan> plan_static_from_embd(SourceModel source, const Options& options);

}  // namespace ambry::convert
