// Encoders of AMB's quantized payloads (tensor/codec/stream_encoder.h).
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/tensor/block_encoder.h"
#include "tensor/codec/precision_budget.h"

namespace ambry::convert {

// Writes the payload in the target's dtype and quantization.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_payload_encoder(
    const Output& output, const model::TensorEntry& target);

// A measuring encoder writes nothing. It sets what the size of the tensor depends on: the type of
// the scales in `target.quantization`, or for ADAPTIVE the benefit of better precisions in
// `budget`. The arguments must outlive it.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_measuring_encoder(
    const Output& output, model::TensorEntry& target, tensor::PrecisionBudget& budget);

}  // namespace ambry::convert
