// Builds ONNX files, message by message.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "io/protobuf/protobuf_writer.h"

namespace ambry::formats::onnx::testing {

using File = std::vector<uint8_t>;
using Writer = io::ProtobufWriter;
using Texts = std::vector<std::string>;

inline constexpr uint32_t kFloatType = 1;
inline constexpr uint32_t kInt64Type = 7;

// AttributeProto of each type.
inline std::string int_attribute(std::string_view name, int64_t value) {
  Writer message;
  message.put_bytes(1, name);
  message.put_varint(3, static_cast<uint64_t>(value));
  message.put_varint(20, 2);
  return message.take();
}
inline std::string float_attribute(std::string_view name, float value) {
  Writer message;
  message.put_bytes(1, name);
  message.put_fixed32(2, std::bit_cast<uint32_t>(value));
  message.put_varint(20, 1);
  return message.take();
}
inline std::string text_attribute(std::string_view name, std::string_view value) {
  Writer message;
  message.put_bytes(1, name);
  message.put_bytes(4, value);
  message.put_varint(20, 3);
  return message.take();
}
inline std::string ints_attribute(std::string_view name, const std::vector<int64_t>& values) {
  Writer message;
  message.put_bytes(1, name);
  for (const int64_t value : values) message.put_varint(8, static_cast<uint64_t>(value));
  message.put_varint(20, 7);
  return message.take();
}
// `field` and `type`: 5 and 4 for a tensor, 6 and 5 for a graph.
inline std::string message_attribute(std::string_view name, uint32_t field, uint32_t type,
                                     std::string_view value) {
  Writer message;
  message.put_bytes(1, name);
  message.put_bytes(field, value);
  message.put_varint(20, type);
  return message.take();
}
inline std::string tensor_attribute(std::string_view name, std::string_view tensor) {
  return message_attribute(name, 5, 4, tensor);
}
inline std::string graph_attribute(std::string_view name, std::string_view graph) {
  return message_attribute(name, 6, 5, graph);
}

inline std::string node(std::string_view op, const Texts& inputs, const Texts& outputs,
                        const Texts& attributes = {}, std::string_view domain = "",
                        std::string_view name = "") {
  Writer message;
  for (const auto& input : inputs) message.put_bytes(1, input);
  for (const auto& output : outputs) message.put_bytes(2, output);
  if (!name.empty()) message.put_bytes(3, name);
  message.put_bytes(4, op);
  for (const auto& attribute : attributes) message.put_bytes(5, attribute);
  if (!domain.empty()) message.put_bytes(7, domain);
  return message.take();
}

// A TensorProto without its values.
inline Writer tensor_head(std::string_view name, uint32_t type, const std::vector<int64_t>& dims) {
  Writer message;
  for (const int64_t extent : dims) message.put_varint(1, static_cast<uint64_t>(extent));
  message.put_varint(2, type);
  if (!name.empty()) message.put_bytes(8, name);
  return message;
}
inline std::string raw_tensor(std::string_view name, uint32_t type,
                              const std::vector<int64_t>& dims, std::string_view raw) {
  Writer message = tensor_head(name, type, dims);
  message.put_bytes(9, raw);
  return message.take();
}
inline std::string entry(std::string_view key, std::string_view value) {
  Writer message;
  message.put_bytes(1, key);
  message.put_bytes(2, value);
  return message.take();
}
inline std::string external_tensor(std::string_view name, uint32_t type,
                                   const std::vector<int64_t>& dims, const Texts& entries) {
  Writer message = tensor_head(name, type, dims);
  for (const auto& each : entries) message.put_bytes(13, each);
  message.put_varint(14, 1);
  return message.take();
}

// A ValueInfoProto of a tensor. An extent of 0 or less is the name `n`.
inline std::string value(std::string_view name, uint32_t type = kFloatType,
                         const std::vector<int64_t>& dims = {}) {
  Writer shape;
  for (const int64_t extent : dims) {
    Writer dim;
    if (extent > 0) {
      dim.put_varint(1, static_cast<uint64_t>(extent));
    } else {
      dim.put_bytes(2, "n");
    }
    shape.put_bytes(1, dim.take());
  }
  Writer tensor;
  tensor.put_varint(1, type);
  tensor.put_bytes(2, shape.take());
  Writer kind;
  kind.put_bytes(1, tensor.take());
  Writer message;
  message.put_bytes(1, name);
  message.put_bytes(2, kind.take());
  return message.take();
}

struct GraphMaker {
  Texts nodes;
  Texts initializers;
  Texts inputs;
  Texts outputs;
  Texts values;
  Texts annotations;

  [[nodiscard]] std::string make() const {
    Writer message;
    for (const auto& each : nodes) message.put_bytes(1, each);
    message.put_bytes(2, "main");
    for (const auto& each : initializers) message.put_bytes(5, each);
    for (const auto& each : inputs) message.put_bytes(11, each);
    for (const auto& each : outputs) message.put_bytes(12, each);
    for (const auto& each : values) message.put_bytes(13, each);
    for (const auto& each : annotations) message.put_bytes(14, each);
    return message.take();
  }
};

inline std::string opset(std::string_view domain, uint64_t version) {
  Writer message;
  message.put_bytes(1, domain);
  message.put_varint(2, version);
  return message.take();
}

// The graph is the last field, so that no prefix of the file is a whole model.
struct ModelMaker {
  GraphMaker graph;
  Texts opsets = {opset("", 17)};
  Texts functions;
  Texts metadata = {entry("author", "somebody")};

  [[nodiscard]] File make() const { return make(graph.make()); }
  [[nodiscard]] File make(std::string_view graph_message) const {
    Writer message;
    message.put_varint(1, 8);
    message.put_bytes(2, "maker");
    for (const auto& each : opsets) message.put_bytes(8, each);
    for (const auto& each : metadata) message.put_bytes(14, each);
    for (const auto& each : functions) message.put_bytes(25, each);
    message.put_bytes(7, graph_message);
    const std::string text = message.take();
    return {text.begin(), text.end()};
  }
};

inline std::string floats(size_t count) {
  std::string bytes(count * sizeof(float), '\0');
  for (size_t i = 0; i < count; ++i) bytes[i * sizeof(float) + 3] = '\x3F';
  return bytes;
}

// y = Relu(x · w + b), and a graph in an If.
inline ModelMaker small_model() {
  ModelMaker model;
  GraphMaker branch;
  branch.nodes = {node("Identity", {"h"}, {"out"})};
  branch.outputs = {value("out")};
  GraphMaker other;
  other.nodes = {node("Neg", {"h"}, {"out"})};
  other.outputs = {value("out")};
  model.graph.nodes = {
      node("MatMul", {"x", "w"}, {"m"}, {}, "", "/layer/MatMul"),
      node("Add", {"m", "b"}, {"h"}),
      node("ReduceMax", {"h"}, {"most"},
           {ints_attribute("axes", {-1, 0}), int_attribute("keepdims", 0)}),
      node("Constant", {}, {"zero"},
           {tensor_attribute("value", raw_tensor("", kFloatType, {}, floats(1)))}),
      node("Greater", {"most", "zero"}, {"some"}),
      node("If", {"some"}, {"y"},
           {graph_attribute("then_branch", branch.make()),
            graph_attribute("else_branch", other.make())}),
  };
  model.graph.initializers = {raw_tensor("w", kFloatType, {40, 30}, floats(1200)),
                              raw_tensor("b", kFloatType, {30}, floats(30))};
  model.graph.inputs = {value("x", kFloatType, {-1, 40})};
  model.graph.outputs = {value("y", kFloatType, {-1, 30})};
  return model;
}

inline File make_onnx() { return small_model().make(); }

}  // namespace ambry::formats::onnx::testing
