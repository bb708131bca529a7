// Constants of safetensors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype.h"

namespace ambry::formats::safetensors {

inline constexpr uint64_t kLengthBytes = 8;
// The limit of the reference reader.
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;
// The header is padded with spaces so that the data starts at a multiple of this.
inline constexpr uint64_t kDataAlignment = 8;
inline constexpr std::string_view kMetadataKey = "__metadata__";

struct NamedDType {
  std::string_view name;
  tensor::DType dtype;
};
inline constexpr std::array<NamedDType, 22> kDTypes = {{{"F64", tensor::DType::F64},
                                                        {"F32", tensor::DType::F32},
                                                        {"F16", tensor::DType::F16},
                                                        {"BF16", tensor::DType::BF16},
                                                        {"I64", tensor::DType::I64},
                                                        {"I32", tensor::DType::I32},
                                                        {"I16", tensor::DType::I16},
                                                        {"I8", tensor::DType::I8},
                                                        {"U64", tensor::DType::U64},
                                                        {"U32", tensor::DType::U32},
                                                        {"U16", tensor::DType::U16},
                                                        {"U8", tensor::DType::U8},
                                                        {"BOOL", tensor::DType::Bool},
                                                        {"F8_E4M3", tensor::DType::F8E4M3},
                                                        {"F8_E5M2", tensor::DType::F8E5M2},
                                                        {"F8_E8M0", tensor::DType::F8E8M0},
                                                        {"F8_E4M3FNUZ", tensor::DType::F8E4M3Fnuz},
                                                        {"F8_E5M2FNUZ", tensor::DType::F8E5M2Fnuz},
                                                        {"F6_E2M3", tensor::DType::F6E2M3},
                                                        {"F6_E3M2", tensor::DType::F6E3M2},
                                                        {"F4", tensor::DType::F4},
                                                        {"C64", tensor::DType::C64}}};

[[nodiscard]] constexpr std::optional<tensor::DType> dtype_by_name(std::string_view name) {
  for (const NamedDType& known : kDTypes) {
    if (known.name == name) return known.dtype;
  }
  return std::nullopt;
}

}  // namespace ambry::formats::safetensors
