// The names that a pickle of tensors may use. None of them is ever called; the reader interprets
// what they stand for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype.h"

namespace ambry::formats::pytorch {

enum class GlobalRole : uint8_t {
  OrderedDict,  // makes an empty dict
  DefaultDict,  // the same; it is left out unless tensors are in it
  Tensor,       // (storage, offset, size, stride, …)
  TypedTensor,  // the same with the element type; the storage counts bytes
  Parameter,    // (tensor, requires_grad, hooks): the tensor
  StorageType,  // the element type of a storage
  ElementType,  // of a TypedTensor
};

struct KnownGlobal {
  std::string_view module;
  std::string_view name;
  GlobalRole role;
  tensor::DType dtype = tensor::DType::U8;
};

inline constexpr auto kKnownGlobals = std::to_array<KnownGlobal>({
    {"collections", "OrderedDict", GlobalRole::OrderedDict},
    {"collections", "defaultdict", GlobalRole::DefaultDict},
    {"torch._utils", "_rebuild_tensor", GlobalRole::Tensor},
    {"torch._utils", "_rebuild_tensor_v2", GlobalRole::Tensor},
    {"torch._utils", "_rebuild_tensor_v3", GlobalRole::TypedTensor},
    {"torch._utils", "_rebuild_parameter", GlobalRole::Parameter},
    {"torch._utils", "_rebuild_parameter_with_state", GlobalRole::Parameter},
    {"torch", "FloatStorage", GlobalRole::StorageType, tensor::DType::F32},
    {"torch", "DoubleStorage", GlobalRole::StorageType, tensor::DType::F64},
    {"torch", "HalfStorage", GlobalRole::StorageType, tensor::DType::F16},
    {"torch", "BFloat16Storage", GlobalRole::StorageType, tensor::DType::BF16},
    {"torch", "LongStorage", GlobalRole::StorageType, tensor::DType::I64},
    {"torch", "IntStorage", GlobalRole::StorageType, tensor::DType::I32},
    {"torch", "ShortStorage", GlobalRole::StorageType, tensor::DType::I16},
    {"torch", "CharStorage", GlobalRole::StorageType, tensor::DType::I8},
    {"torch", "ByteStorage", GlobalRole::StorageType, tensor::DType::U8},
    {"torch", "BoolStorage", GlobalRole::StorageType, tensor::DType::Bool},
    {"torch", "ComplexFloatStorage", GlobalRole::StorageType, tensor::DType::C64},
    {"torch.storage", "UntypedStorage", GlobalRole::StorageType, tensor::DType::U8},
    {"torch", "uint16", GlobalRole::ElementType, tensor::DType::U16},
    {"torch", "uint32", GlobalRole::ElementType, tensor::DType::U32},
    {"torch", "uint64", GlobalRole::ElementType, tensor::DType::U64},
    {"torch", "float8_e4m3fn", GlobalRole::ElementType, tensor::DType::F8E4M3},
    {"torch", "float8_e5m2", GlobalRole::ElementType, tensor::DType::F8E5M2},
    {"torch", "float8_e4m3fnuz", GlobalRole::ElementType, tensor::DType::F8E4M3Fnuz},
    {"torch", "float8_e5m2fnuz", GlobalRole::ElementType, tensor::DType::F8E5M2Fnuz},
});

// The index in kKnownGlobals.
[[nodiscard]] constexpr std::optional<uint64_t> find_global(std::string_view module,
                                                            std::string_view name) {
  for (size_t i = 0; i < kKnownGlobals.size(); ++i) {
    if (kKnownGlobals[i].module == module && kKnownGlobals[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace ambry::formats::pytorch
