// Numbers of onnx.proto that describe values: the types of elements and of attributes.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::formats::onnx {

// TensorProto.DataType.
enum class DataType : uint8_t {
  Undefined = 0,
  Float = 1,
  Uint8 = 2,
  Int8 = 3,
  Uint16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  Uint32 = 12,
  Uint64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  Bfloat16 = 16,
  Float8E4M3Fn = 17,
  Float8E4M3Fnuz = 18,
  Float8E5M2 = 19,
  Float8E5M2Fnuz = 20,
  Uint4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  Uint2 = 25,
  Int2 = 26,
};
inline constexpr uint8_t kDataTypes = static_cast<uint8_t>(DataType::Int2) + 1;

// Lower case: `float`, `int4`, `bfloat16`. Empty for Undefined.
[[nodiscard]] std::string_view data_type_name(DataType type);
// How many bits one element has in raw_data; 0 for String and Undefined.
[[nodiscard]] uint32_t data_type_bits(DataType type);

// AttributeProto.AttributeType.
enum class AttributeType : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};
inline constexpr uint8_t kAttributeTypes = static_cast<uint8_t>(AttributeType::TypeProtos) + 1;

}  // namespace ambry::formats::onnx
