// Weights that a library has quantized, told by config.json
// (core/formats/huggingface/README.md#quantized-weights).
#pragma once

#include <string>

#include "base/result.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {

// Puts the matrices in the place of the tensors of which they are made. Where `keeps_codes`, they
// get a type of AMB with the same codes and scales if there is one, else f32. Changes nothing where
// the file `config` states no quantization. Unsupported for methods and settings that are not
// known; NotFound and Mismatch for tensors that are missing or do not fit. On NeedBytes, load the
// bytes and read the source again.
[[nodiscard]] Result<void> take_quantization(const SourceFiles& sources, const std::string& config,
                                             bool keeps_codes, SourceModel& source);

}  // namespace ambry::convert
