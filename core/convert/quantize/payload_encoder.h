// Makers of AMB's quantised payloads (tensor/codec/stream_encoder.h).
#pragma once

#include <memory>

#include "base/result.h"
#include "convert/plan.h"
#include "convert/tensor/block_encoder.h"
#include "tensor/codec/precision_budget.h"

namespace ambry::convert {

// Writes the payload that the target's dtype and quantization say.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_payload_encoder(
    const Output& output, const model::TensorEntry& target);

// Writes nothing. Looks at the tensor and settles what its size depends on: the type of the scales
// in `target.quantization`, or in `budget`, for ADAPTIVE, what upgrades of its blocks are worth.
// What it is given must outlive it.
[[nodiscard]] Result<std::unique_ptr<FloatEncoder>> make_measuring_encoder(
    const Output& output, model::TensorEntry& target, tensor::PrecisionBudget& budget);

}  // namespace ambry::convert
