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
inline constexpr std::string_view kMetadataKey = "__metadata__";

struct NamedDType {
  std::string_view name;
  tensor::DType dtype;
};
inline constexpr std::array<NamedDType, 13> kDTypes = {{{"F64", tensor::DType::F64},
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
                                                        {"BOOL", tensor::DType::Bool}}};

[[nodiscard]] constexpr std::optional<tensor::DType> dtype_by_name(std::string_view name) {
  for (const NamedDType& known : kDTypes) {
    if (known.name == name) return known.dtype;
  }
  return std::nullopt;
}

}  // namespace ambry::formats::safetensors
