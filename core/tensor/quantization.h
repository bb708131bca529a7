// How a tensor of one of AMB's quantised types is stored, beyond its type and shape
// (core/formats/amb/README.md#quantized-payloads).
#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace ambry::tensor {

struct Quantization {
  uint16_t block_size = 0;  // elements that share a scale; 0: the whole tensor (INT8, INT4, INT5)
  DType scale_type = DType::F16;  // F16 or F32
  uint8_t prefix_bytes = 4;       // of quantisation facts before the scales, inside the payload
  bool across_rows = false;       // blocks run over the flattened tensor

  friend bool operator==(const Quantization&, const Quantization&) = default;
};

}  // namespace ambry::tensor
