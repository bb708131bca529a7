// Nodes and their attributes.
#include <algorithm>
#include <array>
#include <utility>

#include "formats/onnx/message_reader.h"

namespace ambry::formats::onnx {
namespace {

using Wire = WireField::Wire;
using Type = AttributeType;

// By field of AttributeProto: the type of an attribute that has its value there.
constexpr auto kTypeOfField = [] {
  namespace f = attribute_field;
  std::array<Type, f::kSparseTensors + 1> types{};
  types[f::kF] = Type::Float;
  types[f::kI] = Type::Int;
  types[f::kS] = Type::String;
  types[f::kT] = Type::Tensor;
  types[f::kG] = Type::Graph;
  types[f::kFloats] = Type::Floats;
  types[f::kInts] = Type::Ints;
  types[f::kStrings] = Type::Strings;
  types[f::kTensors] = Type::Tensors;
  types[f::kGraphs] = Type::Graphs;
  types[f::kTp] = Type::TypeProto;
  types[f::kTypeProtos] = Type::TypeProtos;
  types[f::kSparseTensor] = Type::SparseTensor;
  types[f::kSparseTensors] = Type::SparseTensors;
  return types;
}();

constexpr uint64_t range_bits(uint64_t begin, uint64_t count) { return begin | count << 32U; }

}  // namespace

// An attribute whose message is not read to its end.
struct MessageReader::AttributeParts {
  Attribute attribute;
  uint32_t seen = 0;  // a bit for each type that has a value
  uint64_t number = 0;
  uint64_t n_listed = 0;
  std::string list;  // a text, or the packed values of a list
  std::vector<TensorParts> tensors;
  std::vector<SparseParts> sparse_tensors;
  std::vector<Graph> graphs;
};

Result<void> MessageReader::read_node(const WireField& message, Graph& graph) {
  namespace f = node_field;
  cursor_.enter("node", graph.nodes.size());
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, ""));
  Node node{.byte_offset = message.offset};
  node.links = static_cast<uint32_t>(graph.links.size());
  node.attributes = static_cast<uint32_t>(graph.attributes.size());
  Operator op;
  std::vector<NameId> outputs;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == f::kInput) {
      AMBRY_TRY(const NameId name, read_name(field, "input"));
      graph.links.push_back(name);
    } else if (field.number == f::kOutput) {
      AMBRY_TRY(const NameId name, read_name(field, "output"));
      outputs.push_back(name);
    } else if (field.number == f::kName) {
      AMBRY_TRY(node.name, read_name(field, "name"));
    } else if (field.number == f::kOpType) {
      AMBRY_TRY(op.op_type, read_name(field, "op_type"));
    } else if (field.number == f::kAttribute) {
      AMBRY_RETURN_IF_ERROR(read_attribute(field, graph.attributes));
    } else if (field.number == f::kDomain) {
      AMBRY_TRY(op.domain, read_name(field, "domain"));
    } else if (field.number == f::kOverload) {
      AMBRY_TRY(op.overload, read_name(field, "overload"));
    }
  }
  const size_t n_inputs = graph.links.size() - node.links;
  const size_t n_attributes = graph.attributes.size() - node.attributes;
  if (std::max(n_inputs, outputs.size()) > UINT16_MAX || n_attributes > kMaxAttributes ||
      graph.links.size() + outputs.size() > UINT32_MAX) {
    return cursor_.fail(ErrorCode::LimitExceeded, message.offset, "",
                        "the node has more than 65,535 inputs or outputs, or 1,024 attributes");
  }
  if (op.op_type == kNoName) {
    return cursor_.fail(ErrorCode::BadValue, message.offset, "op_type", "the node has no operator");
  }
  if (n_inputs + outputs.size() == 0) {
    return cursor_.fail(ErrorCode::BadValue, message.offset, "",
                        "the node has neither inputs nor outputs");
  }
  graph.links.insert(graph.links.end(), outputs.begin(), outputs.end());
  node.n_inputs = static_cast<uint16_t>(n_inputs);
  node.n_outputs = static_cast<uint16_t>(outputs.size());
  node.n_attributes = static_cast<uint16_t>(n_attributes);
  AMBRY_TRY(node.op, number_of(op, message.offset));
  graph.nodes.push_back(node);
  cursor_.leave();
  return {};
}

Result<uint16_t> MessageReader::number_of(Operator op, uint64_t offset) {
  if (model_.names[op.domain] == "ai.onnx") op.domain = kNoName;
  const auto found = std::ranges::find(model_.operators, op);
  const auto number = static_cast<size_t>(found - model_.operators.begin());
  if (found != model_.operators.end()) return static_cast<uint16_t>(number);
  if (number == kMaxOperators) {
    return cursor_.fail(ErrorCode::LimitExceeded, offset, "op_type",
                        {"more than ", uint64_t{kMaxOperators}, " different operators"});
  }
  model_.operators.push_back(op);
  return static_cast<uint16_t>(number);
}

Result<void> MessageReader::read_attribute(const WireField& message,
                                           std::vector<Attribute>& attributes) {
  namespace f = attribute_field;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "attribute"));
  cursor_.enter("attribute", attributes.size());
  AttributeParts parts;
  parts.attribute.byte_offset = message.offset;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == f::kName) {
      AMBRY_TRY(parts.attribute.name, read_name(field, "name"));
    } else if (field.number == f::kType) {
      AMBRY_TRY(const int64_t type, read_int(field, "type"));
      if (type < 0 || type >= kAttributeTypes) {
        return cursor_.fail(ErrorCode::Unsupported, field.offset, "type",
                            {"type ", static_cast<uint64_t>(type), " is not known"});
      }
      parts.attribute.type = static_cast<Type>(type);
    } else if (field.number == f::kReference) {
      AMBRY_TRY(const NameId name, read_name(field, "ref_attr_name"));
      parts.number = name;
      parts.attribute.is_reference = name != kNoName;
    } else if (field.number < kTypeOfField.size() &&
               kTypeOfField[field.number] != Type::Undefined) {
      parts.seen |= 1U << static_cast<uint32_t>(kTypeOfField[field.number]);
      AMBRY_RETURN_IF_ERROR(read_attribute_value(field, parts));
    }
  }
  AMBRY_RETURN_IF_ERROR(finish_attribute(parts));
  attributes.push_back(parts.attribute);
  cursor_.leave();
  return {};
}

Result<void> MessageReader::read_attribute_value(const WireField& field, AttributeParts& parts) {
  namespace f = attribute_field;
  if (std::max({parts.tensors.size(), parts.graphs.size(), parts.sparse_tensors.size()}) ==
      kMaxMessages) {
    return cursor_.fail(ErrorCode::LimitExceeded, field.offset, "",
                        {"more than ", uint64_t{kMaxMessages}, " tensors or graphs"});
  }
  // A field that should be there once may be repeated: its messages are merged.
  const auto place_in = [&](auto& list, uint32_t single) -> auto& {
    if (list.empty() || field.number != single) list.emplace_back();
    return list.back();
  };
  switch (field.number) {
    case f::kF:
      parts.number = field.value;
      return cursor_.expect(field, Wire::Fixed32, "f");
    case f::kI:
      parts.number = field.value;
      return cursor_.expect(field, Wire::Varint, "i");
    case f::kS:
      parts.list.clear();
      return append_text(field, "s", parts.list);
    case f::kT:
    case f::kTensors:
      return read_tensor(field, place_in(parts.tensors, f::kT));
    case f::kG:
    case f::kGraphs: {
      cursor_.enter("g");
      Graph& graph = place_in(parts.graphs, f::kG);
      AMBRY_RETURN_IF_ERROR(read_graph(field, graph));
      cursor_.leave();
      return {};
    }
    case f::kFloats:
      return append_packed(field, "floats", 4, parts.list);
    case f::kInts:
      return append_packed(field, "ints", 0, parts.list);
    case f::kStrings:
      ++parts.n_listed;
      append_number(parts.list, field.size());
      return append_text(field, "strings", parts.list);
    case f::kSparseTensor:
    case f::kSparseTensors:
      return read_sparse(field, place_in(parts.sparse_tensors, f::kSparseTensor));
    default:
      return cursor_.expect(field, Wire::Bytes, "tp");
  }
}

// Takes the type from the value where the file does not state it (IR version 1).
Result<void> MessageReader::settle_type(AttributeParts& parts) {
  Attribute& attribute = parts.attribute;
  if (attribute.name == kNoName) {
    return cursor_.fail(ErrorCode::BadValue, attribute.byte_offset, "name", "has no name");
  }
  for (uint32_t type = 1; type < kAttributeTypes && attribute.type == Type::Undefined; ++type) {
    if (parts.seen == 1U << type) attribute.type = static_cast<Type>(type);
  }
  const uint32_t stated = 1U << static_cast<uint32_t>(attribute.type);
  if (attribute.type == Type::Undefined || (parts.seen & ~stated) != 0 ||
      (attribute.is_reference && parts.seen != 0)) {
    return cursor_.fail(ErrorCode::BadValue, attribute.byte_offset, "type",
                        {"the attribute \"", model_.names[attribute.name],
                         "\" has no type, or a value of another type"});
  }
  const bool one = attribute.type == Type::Tensor || attribute.type == Type::Graph ||
                   attribute.type == Type::SparseTensor;
  if (one && parts.seen == 0 && !attribute.is_reference) {
    return cursor_.fail(ErrorCode::BadValue, attribute.byte_offset, "",
                        {"the attribute \"", model_.names[attribute.name], "\" has no value"});
  }
  return {};
}

Result<void> MessageReader::finish_attribute(AttributeParts& parts) {
  AMBRY_RETURN_IF_ERROR(settle_type(parts));
  Attribute& attribute = parts.attribute;
  const uint64_t sum = model_.numbers.size() + model_.values.size() + parts.list.size();
  if (sum > UINT32_MAX || model_.graphs.size() + parts.graphs.size() > kMaxGraphs ||
      model_.tensors.size() + parts.tensors.size() + 2 * parts.sparse_tensors.size() >
          kMaxAttributeTensors) {
    return cursor_.fail(ErrorCode::LimitExceeded, attribute.byte_offset, "",
                        "the nodes' attributes hold too much");
  }
  attribute.bits = parts.number;
  if (attribute.is_reference) return {};
  switch (attribute.type) {
    case Type::Ints:
      attribute.bits = range_bits(model_.numbers.size(), count_numbers(parts.list));
      model_.numbers += parts.list;
      break;
    case Type::Floats:
      parts.n_listed = parts.list.size() / sizeof(float);
      [[fallthrough]];
    case Type::String:
    case Type::Strings:
      if (attribute.type == Type::String) parts.n_listed = parts.list.size();
      attribute.bits = range_bits(model_.values.size(), parts.n_listed);
      model_.values += parts.list;
      break;
    case Type::Tensor:
    case Type::Tensors:
      attribute.bits = range_bits(model_.tensors.size(), parts.tensors.size());
      for (TensorParts& each : parts.tensors) AMBRY_RETURN_IF_ERROR(keep_tensor(each));
      break;
    case Type::SparseTensor:
    case Type::SparseTensors:
      attribute.bits = range_bits(model_.tensors.size(), 2 * parts.sparse_tensors.size());
      for (SparseParts& each : parts.sparse_tensors) {
        AMBRY_RETURN_IF_ERROR(keep_tensor(each.values));
        AMBRY_RETURN_IF_ERROR(keep_tensor(each.indices));
      }
      break;
    case Type::Graph:
    case Type::Graphs:
      attribute.bits = range_bits(model_.graphs.size(), parts.graphs.size());
      std::ranges::move(parts.graphs, std::back_inserter(model_.graphs));
      break;
    default:
      break;
  }
  return {};
}

Result<void> MessageReader::keep_tensor(TensorParts& parts) {
  AMBRY_TRY(const Tensor tensor, finish_tensor(parts));
  model_.tensors.push_back(tensor);
  return {};
}

}  // namespace ambry::formats::onnx
