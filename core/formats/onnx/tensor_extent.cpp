#include "formats/onnx/tensor_extent.h"

#include <array>

#include "base/checked.h"
#include "formats/onnx/onnx_layout.h"

namespace ambry::formats::onnx {

std::optional<uint64_t> element_count(const OnnxModel& model, const Tensor& tensor) {
  std::optional<uint64_t> count = 1;
  bool is_empty = false;
  for (const int64_t extent : model.dims(tensor)) {
    if (extent < 0) return std::nullopt;
    is_empty |= extent == 0;
    if (count) count = checked_mul(*count, static_cast<uint64_t>(extent));
  }
  return is_empty ? 0 : count;
}

std::optional<uint64_t> raw_bytes(DataType type, uint64_t n_elements) {
  const uint32_t bits = data_type_bits(type);
  if (bits == 0) return std::nullopt;
  if (bits >= 8) return checked_mul(n_elements, bits / 8);
  const uint64_t together = 8 / bits;
  return n_elements / together + (n_elements % together != 0 ? 1 : 0);
}

std::optional<uint64_t> typed_numbers(DataType type, uint64_t n_elements) {
  if (type == DataType::Complex64 || type == DataType::Complex128) {
    return checked_mul(n_elements, 2);
  }
  return data_type_bits(type) >= 8 || type == DataType::String ? n_elements
                                                               : raw_bytes(type, n_elements);
}

uint8_t typed_field(DataType type) {
  namespace f = tensor_field;
  switch (type) {
    case DataType::Float:
    case DataType::Complex64:
      return f::kFloats;
    case DataType::Double:
    case DataType::Complex128:
      return f::kDoubles;
    case DataType::Int64:
      return f::kInt64s;
    case DataType::Uint32:
    case DataType::Uint64:
      return f::kUint64s;
    case DataType::String:
      return f::kStrings;
    default:
      return f::kInt32s;
  }
}

std::optional<tensor::DType> dtype_of(DataType type) {
  using tensor::DType;
  constexpr DType kNone = DType::Q2_0;
  // By DataType.
  static constexpr auto kTypes = std::to_array<DType>({kNone,
                                                       DType::F32,
                                                       DType::U8,
                                                       DType::I8,
                                                       DType::U16,
                                                       DType::I16,
                                                       DType::I32,
                                                       DType::I64,
                                                       kNone,
                                                       DType::Bool,
                                                       DType::F16,
                                                       DType::F64,
                                                       DType::U32,
                                                       DType::U64,
                                                       DType::C64,
                                                       kNone,
                                                       DType::BF16,
                                                       DType::F8E4M3,
                                                       DType::F8E4M3Fnuz,
                                                       DType::F8E5M2,
                                                       DType::F8E5M2Fnuz,
                                                       kNone,
                                                       kNone,
                                                       DType::F4,
                                                       DType::F8E8M0,
                                                       kNone,
                                                       kNone});
  static_assert(kTypes.size() == kDataTypes);
  const DType found = kTypes[static_cast<size_t>(type)];
  if (found == kNone) return std::nullopt;
  return found;
}

std::optional<tensor::Shape> shape_of(const OnnxModel& model, const Tensor& tensor) {
  const auto dims = model.dims(tensor);
  if (dims.size() > tensor::Shape::kMaxRank) return std::nullopt;
  tensor::Shape shape;
  for (const int64_t extent : dims) {
    if (extent < 0) return std::nullopt;
    shape.push_back(static_cast<uint64_t>(extent));
  }
  return shape;
}

std::string tensor_words(const OnnxModel& model, const Tensor& tensor) {
  std::string text(data_type_name(tensor.type));
  text += '[';
  for (const int64_t extent : model.dims(tensor)) {
    if (text.back() != '[') text += ',';
    text += std::to_string(extent);
  }
  return text + ']';
}

}  // namespace ambry::formats::onnx
