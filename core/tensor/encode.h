// Quantises the elements of a tensor into the payloads of codec_layout.h (amb_and_embd.md A3).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "tensor/codec_layout.h"

namespace ambry::tensor {

struct EncodeOptions {
  uint16_t block_size = 0;
  // Absent: F16, unless a scale overflows it or vanishes in it.
  std::optional<DType> scale_type = std::nullopt;
  // ADAPTIVE: F16, Int8, Int4 or Int5 for every block, in the order of the blocks.
  std::span<const DType> precisions = {};  // NOLINT(readability-redundant-member-init): for g++
};

struct Encoded {
  Quantization quantization;
  std::vector<uint8_t> payload;  // with its prefix
};

// A scale is the largest magnitude over 127 for INT8, and the element of largest magnitude over -8
// (INT4) or -16 (INT5), so that this element is exact; codes are rounded half to even against the
// scale as stored. A block of zeros has scale 0. BadValue for NaN or infinity, for a block size
// that the dtype cannot have and for precisions that do not match the blocks; Overflow for a value
// that does not fit an F16 block or a scale that does not fit scale_type.
[[nodiscard]] Result<Encoded> encode(DType dtype, const Shape& shape, std::span<const float> values,
                                     const EncodeOptions& options);

}  // namespace ambry::tensor
