// The libraries whose quantized weights are read, a file each
// (core/formats/huggingface/README.md#quantized-weights).
#pragma once

#include "base/result.h"
#include "convert/checkpoint_quantization/quantized_tensors.h"

namespace ambry::convert {

// Takes the matrices of the method out of the tensors. Codes are kept where `keeps_codes`.
using TakeMatrices = Result<void>(QuantizedTensors& tensors, bool keeps_codes);

TakeMatrices take_mlx, take_gptq, take_awq, take_compressed_tensors, take_fp8, take_bitsandbytes;

}  // namespace ambry::convert
