// A whole tensor in memory as a payload of codec_layout.h; stream_encoder.h does the work.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {

struct EncodeOptions {
  uint16_t block_size = 0;
  // Absent: F16, unless a scale overflows it or vanishes in it.
  std::optional<DType> scale_type = std::nullopt;
  // ADAPTIVE: F16, Int8, Int4 or Int5 for every block, in the order of the blocks.
  std::span<const DType> precisions = {};
};

struct Encoded {
  Quantization quantization;
  std::vector<uint8_t> payload;  // with its prefix
};

// BadValue for NaN or infinity, for a block size that the dtype cannot have and for precisions that
// do not match the blocks; Overflow for a value that does not fit an F16 block or a scale that does
// not fit scale_type.
[[nodiscard]] Result<Encoded> encode(DType dtype, const Shape& shape, std::span<const float> values,
                                     const EncodeOptions& options);

}  // namespace ambry::tensor
