// The content of an ONNX file: graphs, their nodes, and tensors with their places. No bytes of
// tensors are held, except small ones that a file has in an unusual form. Texts are numbers of one
// NameTable. Everything else lies in a few vectors, so that a graph of a million nodes takes less
// than three times the bytes of its file.
//
//   AMBRY_TRY(const OnnxModel model, read_model(source));            // onnx_parse.h
//   const Graph& graph = model.graph;
//   const GraphIndex index(graph);                                   // graph_index.h
//   const Node& last = graph.nodes[index.producer(graph.outputs[0].name).value()];
//   if (model.is(last, "MatMul")) use(model.names[graph.inputs_of(last)[1]]);
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/onnx/name_table.h"
#include "formats/onnx/onnx_types.h"

namespace ambry::formats::onnx {

// Numbers of 64 bits, in the form of the file: varints in OnnxModel::numbers.
struct NumberList {
  uint32_t begin = 0;
  uint32_t count = 0;
};

// A TensorProto.
struct Tensor {
  enum class Place : uint8_t {
    Nothing,   // without values: no field has any, or the tensor has no elements
    File,      // data_offset and data_bytes are a range of this file
    Memory,    // … of OnnxModel::values: typed values that the file has one by one
    External,  // … of the file `location` beside this one
  };
  uint64_t byte_offset = kNoOffset;  // where the TensorProto is in the file
  uint64_t data_offset = 0;
  uint64_t data_bytes = 0;  // External without a length: kToTheEnd
  NameId name = kNoName;
  NameId location = kNoName;  // External: the path relative to this file, as stated
  NumberList dims;
  DataType type = DataType::Undefined;
  Place place = Place::Nothing;
  // The field of the TensorProto that has the values: kRawData, or a typed one. External data has
  // the form of raw data.
  uint8_t field = 0;
};
inline constexpr uint64_t kToTheEnd = UINT64_MAX;
inline constexpr uint8_t kRawData = 9;

struct SparseTensor {
  Tensor values;  // its name is that of the whole
  Tensor indices;
  NumberList dims;
};

// An AttributeProto. The values of lists are taken by the functions of OnnxModel.
struct Attribute {
  uint64_t byte_offset = 0;
  uint64_t bits = 0;  // by type; see the functions of OnnxModel
  NameId name = kNoName;
  AttributeType type = AttributeType::Undefined;
  bool is_reference = false;  // in a function: `bits` is the NameId of the attribute of the caller

  [[nodiscard]] int64_t i() const { return static_cast<int64_t>(bits); }  // Int
  [[nodiscard]] float f() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }  // Float
};

// A NodeProto.
struct Node {
  uint64_t byte_offset = 0;
  NameId name = kNoName;
  uint32_t links = 0;       // in Graph::links: the names of inputs, then of outputs
  uint32_t attributes = 0;  // in Graph::attributes
  uint16_t op = 0;          // in OnnxModel::operators
  uint16_t n_inputs = 0;
  uint16_t n_outputs = 0;
  uint16_t n_attributes = 0;
};

// What nodes call: an operator, or a function of the model.
struct Operator {
  NameId op_type = kNoName;
  NameId domain = kNoName;  // "ai.onnx" is kNoName
  NameId overload = kNoName;
  friend bool operator==(const Operator&, const Operator&) = default;
};

// An extent: a number, a name of an unknown number, or nothing.
struct Dim {
  int64_t bits = -1;
  [[nodiscard]] bool is_number() const { return bits >= 0; }
  [[nodiscard]] uint64_t number() const { return static_cast<uint64_t>(bits); }
  [[nodiscard]] NameId name() const {
    return bits >= -1 ? kNoName : static_cast<NameId>(-(bits + 1));
  }
  [[nodiscard]] static Dim of_name(NameId name) { return {-1 - int64_t{name}}; }
};

// A ValueInfoProto: an input or output of a graph, or the stated type of a value.
struct ValueInfo {
  enum class Kind : uint8_t { Unknown, Tensor, SparseTensor, Sequence, Map, Optional, Opaque };
  uint64_t byte_offset = 0;
  NameId name = kNoName;
  uint32_t dims = 0;  // in Graph::dims
  uint16_t n_dims = 0;
  Kind kind = Kind::Unknown;
  DataType type = DataType::Undefined;  // of a tensor, or of the tensors of a sequence or optional
  bool has_shape = false;               // false: of any rank
};

// A TensorAnnotation: which tensors say how another one is quantized.
struct QuantizationAnnotation {
  uint64_t byte_offset = 0;
  NameId tensor = kNoName;
  NameId key = kNoName;    // SCALE_TENSOR, ZERO_POINT_TENSOR
  NameId value = kNoName;  // the name of a tensor
};

// A GraphProto, or the body of a FunctionProto.
struct Graph {
  uint64_t byte_offset = kNoOffset;
  NameId name = kNoName;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparse_initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> value_infos;
  std::vector<QuantizationAnnotation> annotations;
  std::vector<NameId> links;
  std::vector<Attribute> attributes;
  std::vector<Dim> dims;

  [[nodiscard]] std::span<const NameId> inputs_of(const Node& node) const {
    return std::span(links).subspan(node.links, node.n_inputs);
  }
  [[nodiscard]] std::span<const NameId> outputs_of(const Node& node) const {
    return std::span(links).subspan(node.links + size_t{node.n_inputs}, node.n_outputs);
  }
  [[nodiscard]] std::span<const Attribute> attributes_of(const Node& node) const {
    return std::span(attributes).subspan(node.attributes, node.n_attributes);
  }
  [[nodiscard]] std::span<const Dim> dims_of(const ValueInfo& info) const {
    return std::span(dims).subspan(info.dims, info.n_dims);
  }
};

struct OpsetImport {
  uint64_t byte_offset = 0;
  NameId domain = kNoName;  // "ai.onnx" is kNoName
  int64_t version = 0;
};

// A FunctionProto. `body` has its inputs and outputs as values without types.
struct Function {
  Operator name;
  std::vector<OpsetImport> opsets;
  std::vector<NameId> attributes;   // that a call must give
  std::vector<Attribute> defaults;  // attributes that a call may give, with their defaults
  Graph body;
};

struct Property {
  NameId key = kNoName;
  NameId value = kNoName;
};

struct OnnxModel {
  NameTable names;
  int64_t ir_version = 0;
  NameId producer = kNoName;
  NameId producer_version = kNoName;
  NameId domain = kNoName;
  int64_t model_version = 0;
  std::vector<OpsetImport> opsets;
  std::vector<Property> metadata;
  std::vector<Operator> operators;  // that nodes call, each once
  Graph graph;
  std::vector<Function> functions;
  // Below: what attributes hold.
  std::vector<Tensor> tensors;
  std::vector<Graph> graphs;
  std::string numbers;  // varints
  std::string values;   // little-endian floats, varints, and texts with their lengths
  // Where a type states the first negative extent; it was read as an unknown one.
  uint64_t negative_extent = kNoOffset;

  // The version of a domain's operators; 0 if the model does not import it.
  [[nodiscard]] int64_t opset(std::string_view of_domain = {}) const;

  [[nodiscard]] std::string_view op_type(const Node& node) const {
    return names[operators[node.op].op_type];
  }
  [[nodiscard]] std::string_view domain_of(const Node& node) const {
    return names[operators[node.op].domain];
  }
  // Whether the node calls this operator. The domain of ai.onnx is empty.
  [[nodiscard]] bool is(const Node& node, std::string_view wanted,
                        std::string_view of_domain = {}) const {
    return op_type(node) == wanted && domain_of(node) == of_domain;
  }
  // nullptr when the node has no attribute of this name.
  [[nodiscard]] const Attribute* find(const Graph& owner, const Node& node,
                                      std::string_view attribute) const;

  // The value of an attribute; empty, or nullptr, when it has another type.
  [[nodiscard]] std::string_view text(const Attribute& attribute) const;  // may not be UTF-8
  [[nodiscard]] std::vector<int64_t> ints(const Attribute& attribute) const;
  [[nodiscard]] std::vector<float> floats(const Attribute& attribute) const;
  [[nodiscard]] std::vector<std::string_view> texts(const Attribute& attribute) const;
  // The tensors of Tensor and Tensors. Sparse ones have two each: values and indices.
  [[nodiscard]] std::span<const Tensor> tensors_of(const Attribute& attribute) const;
  [[nodiscard]] const Tensor* tensor(const Attribute& attribute) const;
  [[nodiscard]] std::span<const Graph> graphs_of(const Attribute& attribute) const;
  [[nodiscard]] const Graph* graph_of(const Attribute& attribute) const;

  // Extents, outermost first. Negative ones are in the file and are refused by check_model().
  [[nodiscard]] std::vector<int64_t> dims(const Tensor& tensor) const {
    return unpack(tensor.dims);
  }
  [[nodiscard]] std::vector<int64_t> unpack(NumberList list) const;
};

}  // namespace ambry::formats::onnx
