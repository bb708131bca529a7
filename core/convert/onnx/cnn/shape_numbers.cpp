#include "convert/onnx/cnn/shape_numbers.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "formats/onnx/onnx_layout.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Attribute;
using formats::onnx::DataType;
using formats::onnx::Node;
using formats::onnx::Tensor;

// A shape has few extents.
constexpr uint64_t kMaxNumberBytes = 256;

// Integers of 4 or 8 bytes, little-endian.
std::vector<int64_t> plain_integers(Bytes bytes, size_t width) {
  std::vector<int64_t> numbers;
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    uint64_t number = 0;
    for (size_t i = 0; i < width; ++i) number |= uint64_t{bytes[at + i]} << (8 * i);
    numbers.push_back(width == 4 ? static_cast<int32_t>(static_cast<uint32_t>(number))
                                 : static_cast<int64_t>(number));
  }
  return numbers;
}

std::vector<int64_t> varints(Bytes bytes) {
  std::vector<int64_t> numbers;
  uint64_t number = 0;
  unsigned shift = 0;
  for (const uint8_t byte : bytes) {
    if (shift < 64) number |= uint64_t{byte & 0x7FU} << shift;
    shift += 7;
    if ((byte & 0x80U) != 0) continue;
    numbers.push_back(static_cast<int64_t>(number));
    number = shift = 0;
  }
  return numbers;
}

std::optional<int64_t> count_of(const std::vector<int64_t>& dims) {
  if (dims.size() > 1 || (dims.size() == 1 && dims[0] < 0)) return std::nullopt;
  return dims.empty() ? 1 : dims[0];
}

Result<std::optional<ShapeNumbers>> numbers_of(const OnnxFile& file, const Tensor& tensor) {
  const std::vector<int64_t> dims = file.model().dims(tensor);
  const auto count = count_of(dims);
  const bool integers = tensor.type == DataType::Int64 || tensor.type == DataType::Int32;
  if (!integers || !count || tensor.data_bytes > kMaxNumberBytes)
    return std::optional<ShapeNumbers>();
  Bytes bytes;
  if (tensor.place == Tensor::Place::File) {
    const std::string_view name = file.model().names[tensor.name];
    AMBRY_TRY(bytes, file.sources().files()[file.number()].source->view(tensor.data_offset,
                                                                        tensor.data_bytes, name));
  } else if (tensor.place == Tensor::Place::Memory) {
    bytes = as_bytes(std::string_view(file.model().values)
                         .substr(static_cast<size_t>(tensor.data_offset),
                                 static_cast<size_t>(tensor.data_bytes)));
  } else if (tensor.place == Tensor::Place::External) {
    return std::optional<ShapeNumbers>();
  }
  ShapeNumbers numbers;
  numbers.is_list = !dims.empty();
  numbers.numbers = tensor.field == formats::onnx::kRawData
                        ? plain_integers(bytes, tensor.type == DataType::Int32 ? 4 : 8)
                        : varints(bytes);
  const bool odd = std::ranges::find(numbers.numbers, kAnyBatch) != numbers.numbers.end();
  if (odd || static_cast<int64_t>(numbers.numbers.size()) != *count)
    return std::optional<ShapeNumbers>();
  return std::optional(std::move(numbers));
}

// The axis 0 of a list, however it is counted.
bool is_first(int64_t axis) { return axis == 0 || axis == -1; }

Result<ShapeNumbers> gather(const OnnxFile& file, const Node& node, const ShapeNumbers& list,
                            const ShapeNumbers& places) {
  if (!list.is_list || file.int_of(node, "axis", 0) != 0) {
    return file.refuse(node, "takes numbers of a shape along its only axis");
  }
  ShapeNumbers taken;
  taken.is_list = places.is_list;
  const auto n = static_cast<int64_t>(list.numbers.size());
  for (const int64_t place : places.numbers) {
    if (place < -n || place >= n) return file.refuse(node, "a place is outside the shape");
    taken.numbers.push_back(list.numbers[static_cast<size_t>(place < 0 ? place + n : place)]);
  }
  return taken;
}

Result<ShapeNumbers> unsqueeze(const OnnxFile& file, const Node& node,
                               const std::vector<ShapeNumbers>& inputs) {
  const auto stated = file.ints_of(node, "axes");
  const std::vector<int64_t> axes = stated               ? *stated
                                    : inputs.size() == 2 ? inputs[1].numbers
                                                         : std::vector<int64_t>();
  const bool as_input = file.model().opset() >= 13;
  if (inputs[0].is_list || as_input == stated.has_value() || axes.size() != 1 ||
      !is_first(axes[0])) {
    return file.refuse(node, "makes a list of one number of a shape only");
  }
  return ShapeNumbers{inputs[0].numbers};
}

Result<ShapeNumbers> joined(const OnnxFile& file, const Node& node,
                            const std::vector<ShapeNumbers>& inputs) {
  ShapeNumbers all;
  for (const ShapeNumbers& input : inputs) {
    if (!input.is_list || !is_first(file.int_of(node, "axis", 1))) {
      return file.refuse(node, "joins lists of numbers along their only axis");
    }
    all.numbers.insert(all.numbers.end(), input.numbers.begin(), input.numbers.end());
  }
  if (all.numbers.size() > kMaxNumberBytes) return file.refuse(node, "a shape is too long");
  return all;
}

}  // namespace

Result<std::optional<ShapeNumbers>> shape_constant(const OnnxFile& file, NameId value) {
  if (const Tensor* tensor = file.constant(value)) return numbers_of(file, *tensor);
  std::optional<ShapeNumbers> none;
  const Node* node = file.producer(value);
  if (node == nullptr || !file.model().is(*node, "Constant")) return none;
  for (const Attribute& attribute : file.graph().attributes_of(*node)) {
    const std::string_view name = file.model().names[attribute.name];
    if (name == "value_int") return std::optional(ShapeNumbers{{attribute.i()}, false});
    if (name == "value_ints") return std::optional(ShapeNumbers{file.model().ints(attribute)});
  }
  return none;
}

Result<ShapeNumbers> compute_numbers(const OnnxFile& file, const Node& node, CnnOperator op,
                                     const std::vector<ShapeNumbers>& inputs) {
  switch (op) {
    case CnnOperator::Gather:
      return gather(file, node, inputs[0], inputs[1]);
    case CnnOperator::Unsqueeze:
      return unsqueeze(file, node, inputs);
    case CnnOperator::Concat:
      return joined(file, node, inputs);
    case CnnOperator::Identity:
      return inputs[0];
    case CnnOperator::Cast:
      if (file.int_of(node, "to", 0) == static_cast<int64_t>(DataType::Int64)) return inputs[0];
      return file.refuse(node, "a shape is made of int64 only");
    default:
      return file.refuse(node, "does not compute a shape here");
  }
}

}  // namespace ambry::convert::onnx
