// Converts state dicts of convolutional networks (PyTorch, safetensors) to tinyRuntime's float
// form, and rewrites tinyRuntime's own files. Batch norms after convs are folded into them step by
// step in float32, as in the reference exporter. Those between linear layers stay.
#pragma once

#include "base/result.h"
#include "convert/cnn/cnn_modules.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Each result is DQ8 or SQ8 when the options ask for it. SQ8 needs the ranges of a calibration run.
[[nodiscard]] Result<Plan> plan_cnn_from_tinyruntime(const SourceFiles& sources,
                                                     const Options& options);
[[nodiscard]] Result<Plan> plan_cnn_from_pytorch(const SourceFiles& sources,
                                                 const Options& options);
[[nodiscard]] Result<Plan> plan_cnn_from_safetensors(const SourceFiles& sources,
                                                     const Options& options);

// For modules of the source's tensors that are known in another way than by their names.
[[nodiscard]] Result<Plan> plan_cnn(SourceModel source, CnnModules modules, const Options& options);

}  // namespace ambry::convert
