// What a row of tensor_tables.h means for one model: sizes, and which tensors must be there.
#pragma once

#include <cstdint>

#include "model/decoder/architectures/tensor_tables.h"

namespace ambry::model {

// The size of one side of a tensor in this layer; kNoLayer for tensors outside the layers.
[[nodiscard]] uint64_t extent_of(DecoderExtent extent, uint32_t layer, const DecoderConfig& config);

// Whether a model with this config must have the tensor.
[[nodiscard]] bool is_required(DecoderRule rule, uint32_t layer, const DecoderConfig& config);

}  // namespace ambry::model
