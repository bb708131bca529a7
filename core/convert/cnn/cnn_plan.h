// State dicts of convolutional networks (PyTorch's own files, safetensors) to tinyRuntime's float
// form. Batch norms behind convs are folded into them as the reference exporter does, in float32
// step by step; those between linear layers stay.
// tinyRuntime's own files are written again.
#pragma once

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"

namespace ambry::convert {

// All of them DQ8 or SQ8 where the options ask for it, which needs the ranges of a calibration run.
[[nodiscard]] Result<Plan> plan_cnn_from_tinyruntime(const SourceFiles& sources,
                                                     const Options& options);
[[nodiscard]] Result<Plan> plan_cnn_from_pytorch(const SourceFiles& sources,
                                                 const Options& options);
[[nodiscard]] Result<Plan> plan_cnn_from_safetensors(const SourceFiles& sources,
                                                     const Options& options);

}  // namespace ambry::convert
