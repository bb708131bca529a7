// Constants of safetensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::formats::safetensors {

inline constexpr uint64_t kLengthBytes = 8;
// The limit of the reference reader.
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;
// The header is padded with spaces so that the data starts at a multiple of this.
inline constexpr uint64_t kDataAlignment = 8;
inline constexpr std::string_view kMetadataKey = "__metadata__";

// The types that have a name here.
inline constexpr auto kHeldTypes =
    tensor::dtypes_where<[](const tensor::DTypeRow& row) { return row.safetensors != nullptr; }>();

struct NamedDType {
  std::string_view name;
  tensor::DType dtype;
};
inline constexpr auto kDTypes = [] {
  std::array<NamedDType, kHeldTypes.size()> named{};
  for (size_t i = 0; i < named.size(); ++i) {
    named[i] = {tensor::dtype_column<&tensor::DTypeRow::safetensors>(kHeldTypes[i]), kHeldTypes[i]};
  }
  return named;
}();

[[nodiscard]] constexpr std::optional<tensor::DType> dtype_by_name(std::string_view name) {
  for (const NamedDType& known : kDTypes) {
    if (known.name == name) return known.dtype;
  }
  return std::nullopt;
}

}  // namespace ambry::formats::safetensors
