// A network for pictures in an ONNX file becomes a file of tinyRuntime, and a plan, since such a
// file has no graph. Batch norms fold as those of a state dict, so that both give the same bytes.
#pragma once

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

// DQ8 or SQ8 when the options ask for it. SQ8 needs the ranges of a calibration run. Errors of
// onnx::read_network(); NotFound for external data that is not among the files.
[[nodiscard]] Result<Plan> plan_cnn_from_onnx(const SourceFiles& sources, const Options& options);

}  // namespace ambry::convert
