#include "convert/onnx/weights/constant_values.h"

#include <utility>

#include "convert/onnx/graph/graph_constants.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::Tensor;
using tensor::DType;

namespace {

Failure at_tensor(const OnnxFile& file, const Tensor& tensor, ErrorCode code, const Text& why) {
  return error_at(code, tensor.byte_offset, file.place_of(tensor), why);
}

}  // namespace

Result<tensor::Shape> stated_shape(const OnnxFile& file, const Tensor& tensor) {
  const std::vector<int64_t> dims = file.model().dims(tensor);
  tensor::Shape shape;
  bool fits = dims.size() <= tensor::Shape::kMaxRank;
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    fits = dims[i] > 0;
    shape.push_back(static_cast<uint64_t>(dims[i]));
  }
  if (fits && shape.count().value_or(UINT64_MAX) < kMostCodes) return shape;
  return at_tensor(file, tensor, ErrorCode::BadValue,
                   "extents are 0 or negative, too large, or more than eight");
}

Result<Input> input_of(const OnnxFile& file, const Tensor& tensor) {
  AMBRY_TRY(auto input, stored_input(file, tensor));
  if (input) return std::move(*input);
  return at_tensor(
      file, tensor, ErrorCode::Unsupported,
      {"values of type ", formats::onnx::data_type_name(tensor.type),
       ", stored number by number or of an unknown type; save the file with raw data"});
}

Result<SharedNumbers> shared_numbers(const OnnxFile& file, const Tensor& tensor) {
  SharedNumbers numbers;
  AMBRY_TRY(const tensor::Shape shape, stated_shape(file, tensor));
  if (shape.count().value_or(0) > kFewNumbers) {
    AMBRY_TRY(numbers.input, input_of(file, tensor));
    return numbers;
  }
  AMBRY_TRY(const auto values, constant_numbers(file, tensor));
  if (!values) {
    return at_tensor(file, tensor, ErrorCode::Unsupported,
                     {"numbers of type ", formats::onnx::data_type_name(tensor.type)});
  }
  for (const double value : values->on) numbers.given.push_back(static_cast<float>(value));
  model::TensorEntry& entry = numbers.input.tensor;
  entry.name = file.model().names[tensor.name];
  entry.dtype = tensor.type == DataType::Float16 ? DType::F16 : DType::F32;
  entry.shape = shape;
  entry.index_offset = tensor.byte_offset;
  return numbers;
}

}  // namespace ambry::convert::onnx
