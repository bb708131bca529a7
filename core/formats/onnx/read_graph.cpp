// Graphs, their values and their types.
#include <algorithm>

#include "formats/onnx/message_reader.h"

namespace ambry::formats::onnx {

using Wire = WireField::Wire;

// Nodes come first and one after another. The room for them is made at once, because a vector that
// grows holds three times the bytes while it moves.
Result<void> MessageReader::reserve_nodes(const WireField& first, uint64_t end, Graph& graph) {
  size_t n_nodes = 1;
  WireField field;
  for (uint64_t at = first.end; at < end; ++n_nodes) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, end, field));
    if (field.number != graph_field::kNode) break;
  }
  graph.nodes.reserve(n_nodes);
  return {};
}

Result<void> MessageReader::read_graph(const WireField& message, Graph& graph) {
  namespace f = graph_field;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, ""));
  if (graph_depth_ == kMaxGraphDepth) {
    return cursor_.fail(ErrorCode::LimitExceeded, message.offset, "",
                        {"graphs are nested more than ", uint64_t{kMaxGraphDepth}, " deep"});
  }
  ++graph_depth_;
  if (graph.byte_offset == kNoOffset) graph.byte_offset = message.offset;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (std::max({graph.initializers.size(), graph.inputs.size(), graph.outputs.size()}) >
        kMaxInitializers) {
      return cursor_.fail(ErrorCode::LimitExceeded, field.offset, "",
                          {"more than ", uint64_t{kMaxInitializers}, " tensors or inputs"});
    }
    if (field.number == f::kNode) {
      AMBRY_RETURN_IF_ERROR(cursor_.expect(field, Wire::Bytes, "node"));
      if (graph.nodes.empty()) AMBRY_RETURN_IF_ERROR(reserve_nodes(field, message.end, graph));
      AMBRY_RETURN_IF_ERROR(read_node(field, graph));
    } else if (field.number == f::kName) {
      AMBRY_TRY(graph.name, read_name(field, "name"));
    } else if (field.number == f::kInitializer) {
      cursor_.enter("initializer", graph.initializers.size());
      TensorParts parts;
      AMBRY_RETURN_IF_ERROR(read_tensor(field, parts));
      AMBRY_TRY(const Tensor tensor, finish_tensor(parts));
      graph.initializers.push_back(tensor);
      cursor_.leave();
    } else if (field.number == f::kSparseInitializer) {
      cursor_.enter("sparse_initializer", graph.sparse_initializers.size());
      SparseParts parts;
      AMBRY_RETURN_IF_ERROR(read_sparse(field, parts));
      SparseTensor sparse;
      AMBRY_TRY(sparse.values, finish_tensor(parts.values));
      AMBRY_TRY(sparse.indices, finish_tensor(parts.indices));
      AMBRY_TRY(sparse.dims, pack(parts.dims, field.offset));
      graph.sparse_initializers.push_back(sparse);
      cursor_.leave();
    } else if (field.number == f::kInput) {
      cursor_.enter("input", graph.inputs.size());
      AMBRY_RETURN_IF_ERROR(read_value_info(field, graph, graph.inputs));
      cursor_.leave();
    } else if (field.number == f::kOutput) {
      cursor_.enter("output", graph.outputs.size());
      AMBRY_RETURN_IF_ERROR(read_value_info(field, graph, graph.outputs));
      cursor_.leave();
    } else if (field.number == f::kValueInfo) {
      cursor_.enter("value_info", graph.value_infos.size());
      AMBRY_RETURN_IF_ERROR(read_value_info(field, graph, graph.value_infos));
      cursor_.leave();
    } else if (field.number == f::kAnnotation) {
      AMBRY_RETURN_IF_ERROR(read_annotation(field, graph));
    }
  }
  --graph_depth_;
  return {};
}

Result<void> MessageReader::read_annotation(const WireField& message, Graph& graph) {
  cursor_.enter("quantization_annotation", graph.annotations.size());
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, ""));
  const size_t first = graph.annotations.size();
  NameId tensor = kNoName;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == annotation_field::kTensor) {
      AMBRY_TRY(tensor, read_name(field, "tensor_name"));
    } else if (field.number == annotation_field::kEntry) {
      AMBRY_TRY(const Property entry, read_entry(field, "key", "value"));
      if (entry.key == kNoName || entry.value == kNoName) {
        return cursor_.fail(ErrorCode::BadValue, field.offset, "", "a key or a tensor has no name");
      }
      graph.annotations.push_back({field.offset, kNoName, entry.key, entry.value});
    }
  }
  for (size_t i = first; i < graph.annotations.size(); ++i) graph.annotations[i].tensor = tensor;
  cursor_.leave();
  return {};
}

Result<void> MessageReader::read_value_info(const WireField& message, Graph& graph,
                                            std::vector<ValueInfo>& list) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, ""));
  ValueInfo info{.byte_offset = message.offset};
  info.dims = static_cast<uint32_t>(graph.dims.size());
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == value_field::kName) {
      AMBRY_TRY(info.name, read_name(field, "name"));
    } else if (field.number == value_field::kType) {
      AMBRY_RETURN_IF_ERROR(read_type(field, 0, graph, info));
    }
  }
  if (info.name == kNoName) {
    return cursor_.fail(ErrorCode::BadValue, message.offset, "name", "the value has no name");
  }
  list.push_back(info);
  return {};
}

Result<void> MessageReader::read_type(const WireField& message, uint32_t depth, Graph& graph,
                                      ValueInfo& info) {
  namespace f = type_field;
  using Kind = ValueInfo::Kind;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "type"));
  if (depth == kMaxTypeDepth) {
    return cursor_.fail(ErrorCode::LimitExceeded, message.offset, "type",
                        {"types are nested more than ", uint64_t{kMaxTypeDepth}, " deep"});
  }
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    const Kind kind = field.number == f::kTensor     ? Kind::Tensor
                      : field.number == f::kSparse   ? Kind::SparseTensor
                      : field.number == f::kSequence ? Kind::Sequence
                      : field.number == f::kMap      ? Kind::Map
                      : field.number == f::kOptional ? Kind::Optional
                      : field.number == f::kOpaque   ? Kind::Opaque
                                                     : Kind::Unknown;
    if (kind == Kind::Unknown) continue;
    if (depth == 0) info.kind = kind;
    if (kind == Kind::Tensor || kind == Kind::SparseTensor) {
      AMBRY_RETURN_IF_ERROR(read_tensor_type(field, graph, info));
    } else if (kind == Kind::Sequence || kind == Kind::Optional) {
      AMBRY_RETURN_IF_ERROR(cursor_.expect(field, Wire::Bytes, "type"));
      WireField element;
      for (uint64_t inner = field.begin; inner < field.end;) {
        AMBRY_RETURN_IF_ERROR(cursor_.next(inner, field.end, element));
        if (element.number != tensor_type_field::kElementType) continue;
        AMBRY_RETURN_IF_ERROR(read_type(element, depth + 1, graph, info));
      }
    }
  }
  return {};
}

Result<void> MessageReader::read_tensor_type(const WireField& message, Graph& graph,
                                             ValueInfo& info) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "type"));
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == tensor_type_field::kElementType) {
      AMBRY_TRY(const int64_t type, read_int(field, "elem_type"));
      if (type < 0 || type >= kDataTypes) {
        return cursor_.fail(ErrorCode::Unsupported, field.offset, "elem_type",
                            {"element type ", static_cast<uint64_t>(type), " is not known"});
      }
      info.type = static_cast<DataType>(type);
    } else if (field.number == tensor_type_field::kShape) {
      AMBRY_RETURN_IF_ERROR(read_shape(field, graph, info));
    }
  }
  return {};
}

Result<void> MessageReader::read_shape(const WireField& message, Graph& graph, ValueInfo& info) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "shape"));
  info.has_shape = true;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number != shape_field::kDim) continue;
    AMBRY_RETURN_IF_ERROR(cursor_.expect(field, Wire::Bytes, "dim"));
    if (info.n_dims == kMaxRank) {
      return cursor_.fail(ErrorCode::LimitExceeded, field.offset, "shape",
                          {"more than ", uint64_t{kMaxRank}, " dimensions"});
    }
    Dim dim;
    WireField extent;
    for (uint64_t inner = field.begin; inner < field.end;) {
      AMBRY_RETURN_IF_ERROR(cursor_.next(inner, field.end, extent));
      if (extent.number == shape_field::kValue) {
        AMBRY_TRY(dim.bits, read_int(extent, "dim_value"));
        if (dim.bits < 0) {
          model_.negative_extent = std::min(model_.negative_extent, extent.offset);
          dim = Dim();
        }
      } else if (extent.number == shape_field::kParameter) {
        AMBRY_TRY(const NameId name, read_name(extent, "dim_param"));
        dim = Dim::of_name(name);
      }
    }
    graph.dims.push_back(dim);
    ++info.n_dims;
  }
  return {};
}

}  // namespace ambry::formats::onnx
