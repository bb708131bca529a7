#include "formats/onnx/graph_document.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/utf8.h"
#include "formats/onnx/onnx_report.h"
#include "formats/onnx/tensor_extent.h"

namespace ambry::formats::onnx {
namespace {

using io::Json;

constexpr size_t kMaxTextListed = 256;

// A text of the file may be long, and need not be UTF-8.
Json short_text(std::string_view text) {
  std::string shown = replace_invalid_utf8(text.substr(0, kMaxTextListed));
  return text.size() > kMaxTextListed ? Json(shown + "…") : Json(std::move(shown));
}

Json counted_graph(const Graph& graph) {
  return concat({"graph of ", counted(graph.nodes.size(), "node")});
}

template <class List, class ToJson>
Json listed(const List& values, const ToJson& to_json) {
  Json list = Json::array();
  for (size_t i = 0; i < std::min(values.size(), kMaxValuesListed); ++i) {
    list.append(to_json(values[i]));
  }
  if (values.size() > kMaxValuesListed) list.append("…");
  return list;
}

Json value_document(const OnnxModel& model, const Attribute& attribute) {
  if (attribute.is_reference) {
    return concat({"@", model.names[static_cast<NameId>(attribute.bits)]});
  }
  switch (attribute.type) {
    case AttributeType::Float:
      return double{attribute.f()};
    case AttributeType::Int:
      return attribute.i();
    case AttributeType::String:
      return short_text(model.text(attribute));
    case AttributeType::Ints:
      return listed(model.ints(attribute), [](int64_t value) { return Json(value); });
    case AttributeType::Floats:
      return listed(model.floats(attribute), [](float value) { return Json(double{value}); });
    case AttributeType::Strings:
      return listed(model.texts(attribute), short_text);
    case AttributeType::Tensor:
      return tensor_words(model, *model.tensor(attribute));
    case AttributeType::Graph:
      return counted_graph(*model.graph_of(attribute));
    case AttributeType::Graphs:
      return listed(model.graphs_of(attribute), counted_graph);
    case AttributeType::TypeProto:
    case AttributeType::TypeProtos:
      return "type";
    default:
      return listed(model.tensors_of(attribute),
                    [&](const Tensor& tensor) { return Json(tensor_words(model, tensor)); });
  }
}

Json names_document(const OnnxModel& model, std::span<const NameId> names) {
  Json list = Json::array();
  for (const NameId name : names) list.append(model.names[name]);
  return list;
}

Json node_document(const OnnxModel& model, const Node& node) {
  const Graph& graph = model.graph;
  Json row = Json::object();
  row.append_member("name", model.names[node.name]);
  row.append_member("op", model.op_type(node));
  if (!model.domain_of(node).empty()) row.append_member("domain", model.domain_of(node));
  row.append_member("inputs", names_document(model, graph.inputs_of(node)));
  row.append_member("outputs", names_document(model, graph.outputs_of(node)));
  row.append_member("byteOffset", node.byte_offset);
  Json& attributes = row.append_member("attributes", Json::object());
  for (const Attribute& attribute : graph.attributes_of(node)) {
    attributes.set(model.names[attribute.name], value_document(model, attribute));
  }
  return row;
}

}  // namespace

Json graph_document(const OnnxModel& model) {
  const Graph& graph = model.graph;
  Json document = Json::object();
  document.set("name", model.names[graph.name]);
  document.set("opsets", opsets_document(model));
  document.set("inputs", values_document(model, graph, graph.inputs));
  document.set("outputs", values_document(model, graph, graph.outputs));
  document.set("values", values_document(model, graph, graph.value_infos));
  document.set("operators", operators_document(model));
  document.set("functions", functions_document(model));
  document.set("nodeCount", uint64_t{graph.nodes.size()});
  Json& nodes = document.set("nodes", Json::array());
  const size_t n_listed = std::min(graph.nodes.size(), kMaxNodesListed);
  for (const Node& node : std::span(graph.nodes).first(n_listed)) {
    nodes.append(node_document(model, node));
  }
  return document;
}

}  // namespace ambry::formats::onnx
