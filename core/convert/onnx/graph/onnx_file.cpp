#include "convert/onnx/graph/onnx_file.h"

namespace ambry::convert::onnx {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::OnnxModel;
using formats::onnx::Tensor;

OnnxFile::OnnxFile(const OnnxModel& model, const SourceFiles& sources, uint32_t number)
    : model_(model),
      sources_(sources),
      number_(number),
      producers_(model.names.size()),
      initializers_(model.names.size()) {
  uint32_t at = 0;
  for (const Node& node : graph().nodes) {
    ++at;
    for (const NameId name : graph().outputs_of(node)) producers_[name] = at;
  }
  producers_[kNoName] = 0;
  at = 0;
  for (const Tensor& tensor : graph().initializers) initializers_[tensor.name] = ++at;
  initializers_[kNoName] = 0;
}

const Node* OnnxFile::producer(NameId value) const {
  return producers_[value] == 0 ? nullptr : &graph().nodes[producers_[value] - 1];
}

const Tensor* OnnxFile::constant(NameId value) const {
  if (initializers_[value] != 0) return &graph().initializers[initializers_[value] - 1];
  const Node* node = producer(value);
  if (node == nullptr || !model_.is(*node, "Constant")) return nullptr;
  const Attribute* attribute = model_.find(graph(), *node, "value");
  return attribute == nullptr ? nullptr : model_.tensor(*attribute);
}

NameId OnnxFile::input(const Node& node, size_t number) const {
  return number < node.n_inputs ? graph().inputs_of(node)[number] : kNoName;
}

NameId OnnxFile::output(const Node& node, size_t number) const {
  return number < node.n_outputs ? graph().outputs_of(node)[number] : kNoName;
}

int64_t OnnxFile::int_of(const Node& node, std::string_view attribute, int64_t without) const {
  const Attribute* found = model_.find(graph(), node, attribute);
  return found != nullptr && found->type == AttributeType::Int ? found->i() : without;
}

float OnnxFile::float_of(const Node& node, std::string_view attribute, float without) const {
  const Attribute* found = model_.find(graph(), node, attribute);
  return found != nullptr && found->type == AttributeType::Float ? found->f() : without;
}

std::optional<std::vector<int64_t>> OnnxFile::ints_of(const Node& node,
                                                      std::string_view attribute) const {
  const Attribute* found = model_.find(graph(), node, attribute);
  if (found == nullptr || found->type != AttributeType::Ints) return std::nullopt;
  return model_.ints(*found);
}

std::string_view OnnxFile::text_of(const Node& node, std::string_view attribute) const {
  const Attribute* found = model_.find(graph(), node, attribute);
  return found == nullptr ? std::string_view() : model_.text(*found);
}

std::string OnnxFile::place_of(const Tensor& tensor) const {
  if (tensor.name != kNoName) return std::string(model_.names[tensor.name]);
  for (const Node& node : graph().nodes) {
    const NameId value = output(node);
    if (value != kNoName && constant(value) == &tensor) return std::string(model_.names[value]);
  }
  return "graph";
}

Failure OnnxFile::refuse(const Node& node, const Text& why) const {
  const std::string_view op = model_.op_type(node);
  std::string name(model_.names[node.name == kNoName ? output(node) : node.name]);
  if (name.empty()) name = "graph.node";
  return error_at(ErrorCode::Unsupported, node.byte_offset, name, {op, ": ", why.str()});
}

}  // namespace ambry::convert::onnx
