// How a tensor of one of AMB's quantized types is stored, beyond its type and shape
// (core/formats/amb/README.md#quantized-payloads).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::tensor {

struct Quantization {
  uint16_t block_size = 0;  // elements that share a scale; 0: the whole tensor (INT8, INT4, INT5)
  DType scale_type = DType::F16;  // F16 or F32
  uint8_t prefix_bytes = 4;       // of quantization facts before the scales, inside the payload
  bool across_rows = false;       // blocks run over the flattened tensor
  bool minima = false;            // each scale has a minimum after it (codec_layout.h)

  friend bool operator==(const Quantization&, const Quantization&) = default;
};

// The types of scales: AMB's number of each is its place in the list.
inline constexpr auto kScaleTypes = dtypes_by_number<&DTypeRow::amb_scale>();

// As AMB's config and the options name them: fp32, fp16.
[[nodiscard]] constexpr std::string_view scale_name(DType scale_type) {
  return dtype_column<&DTypeRow::scale_name>(scale_type);
}
[[nodiscard]] constexpr std::optional<DType> scale_type_named(std::string_view name) {
  const auto* found = std::ranges::find(kScaleTypes, name, scale_name);
  return found == kScaleTypes.end() ? std::nullopt : std::optional(*found);
}

}  // namespace ambry::tensor
