#include "formats/onnx/onnx_report.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/order.h"
#include "formats/onnx/onnx_layout.h"
#include "formats/onnx/tensor_extent.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::onnx {
namespace {

using io::Json;
using ValueKind = ValueInfo::Kind;

constexpr uint64_t kLeastConstant = 256;  // bytes; smaller ones are no weights

Json dtype_document(const ValueInfo& info) {
  const std::string_view element = data_type_name(info.type);
  switch (info.kind) {
    case ValueKind::Tensor:
      return element.empty() ? Json() : Json(element);
    case ValueKind::SparseTensor:
      return concat({"sparse ", element});
    case ValueKind::Sequence:
      return concat({"sequence ", element});
    case ValueKind::Optional:
      return concat({"optional ", element});
    case ValueKind::Map:
      return "map";
    case ValueKind::Opaque:
      return "opaque";
    default:
      return {};
  }
}

Json shape_document(const OnnxModel& model, const Graph& graph, const ValueInfo& info) {
  if (!info.has_shape) return {};
  Json shape = Json::array();
  for (const Dim& dim : graph.dims_of(info)) {
    if (dim.is_number()) {
      shape.append(dim.number());
    } else {
      shape.append(dim.name() == kNoName ? Json() : Json(model.names[dim.name()]));
    }
  }
  return shape;
}

// Files with values of this one, in the order in which they are first named.
Json external_document(const OnnxModel& model) {
  struct Part {
    NameId file;
    uint64_t n_tensors = 0;
    uint64_t begin = kToTheEnd;
    uint64_t end = 0;
  };
  std::vector<Part> parts;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.place != Tensor::Place::External) return;
    auto part = std::ranges::find(parts, tensor.location, &Part::file);
    if (part == parts.end()) {
      if (parts.size() == kMaxListed) return;
      part = parts.insert(part, Part{tensor.location});
    }
    const bool to_the_end = tensor.data_bytes > kToTheEnd - tensor.data_offset;
    ++part->n_tensors;
    part->begin = std::min(part->begin, tensor.data_offset);
    part->end =
        std::max(part->end, to_the_end ? kToTheEnd : tensor.data_offset + tensor.data_bytes);
  };
  for (const Tensor& tensor : model.graph.initializers) add(tensor);
  for (const Tensor& tensor : model.tensors) add(tensor);
  Json document = Json::array();
  for (const Part& part : parts) {
    Json& row = document.append(Json::object());
    row.set("file", model.names[part.file]);
    row.set("tensors", part.n_tensors);
    row.set("begin", part.begin);
    row.set("end", part.end == kToTheEnd ? Json() : Json(part.end));
  }
  return document;
}

// The initializer as an entry of the table of tensors. Nothing for one that is not a range of this
// file of a type that other formats have.
std::optional<model::TensorEntry> entry_of(const OnnxModel& model, const Tensor& tensor) {
  const auto dtype = dtype_of(tensor.type);
  auto shape = shape_of(model, tensor);
  if (!dtype || !shape) return std::nullopt;
  const auto size = model::byte_size(*shape, *dtype);
  const bool in_order = tensor.field == kRawData || tensor.field == tensor_field::kFloats ||
                        tensor.field == tensor_field::kDoubles;
  const bool is_here = tensor.place == Tensor::Place::File && in_order;
  const bool is_empty = tensor.place == Tensor::Place::Nothing;
  if ((!is_here && !is_empty) || size != tensor.data_bytes) return std::nullopt;
  model::TensorEntry entry;
  entry.name = model.names[tensor.name];
  entry.dtype = *dtype;
  entry.shape = *shape;
  entry.offset = is_here ? tensor.data_offset : tensor.byte_offset;
  entry.bytes = tensor.data_bytes;
  entry.index_offset = tensor.byte_offset;
  return entry;
}

// An initializer that is not in the table of tensors.
Json elsewhere_row(const OnnxModel& model, const Tensor& tensor) {
  Json row = Json::object();
  row.set("name", model.names[tensor.name]);
  row.set("dtype", data_type_name(tensor.type));
  Json& shape = row.set("shape", Json::array());
  for (const int64_t extent : model.dims(tensor)) shape.append(extent);
  const bool is_external = tensor.place == Tensor::Place::External;
  const bool has_range = is_external || tensor.place == Tensor::Place::File;
  row.set("file", is_external ? Json(model.names[tensor.location]) : Json());
  row.set("offset", has_range ? Json(tensor.data_offset) : Json(tensor.byte_offset));
  row.set("bytes", tensor.data_bytes == kToTheEnd ? Json() : Json(tensor.data_bytes));
  return row;
}

void add_tensors(const OnnxModel& model, model::Model& report) {
  Json& elsewhere = report.config.set("elsewhere", Json::array());
  for (const Tensor& tensor : model.graph.initializers) {
    auto entry = entry_of(model, tensor);
    if (entry && report.tensors.size() < io::kMaxTensors) {
      report.tensors.push_back(std::move(*entry));
    } else if (elsewhere.items().size() < kMaxListed) {
      elsewhere.append(elsewhere_row(model, tensor));
    }
  }
}

// The tensors of Constant nodes of the main graph, by the names of their outputs. Some exporters
// put all weights there.
void add_constants(const OnnxModel& model, model::Model& report) {
  for (const Node& node : model.graph.nodes) {
    if (node.n_outputs != 1 || !model.is(node, "Constant")) continue;
    for (const Attribute& attribute : model.graph.attributes_of(node)) {
      const Tensor* const tensor = model.tensor(attribute);
      if (tensor == nullptr || tensor->data_bytes < kLeastConstant ||
          report.tensors.size() == io::kMaxTensors) {
        continue;
      }
      auto entry = entry_of(model, *tensor);
      if (!entry) continue;
      entry->name = model.names[model.graph.outputs_of(node)[0]];
      report.tensors.push_back(std::move(*entry));
    }
  }
}

// What lies between the tensors: nodes before the first one, and headers of tensors.
void add_regions(model::Model& report) {
  const auto order = sorted_order(report.tensors.size(), [&](uint32_t a, uint32_t b) {
    return report.tensors[a].offset < report.tensors[b].offset;
  });
  uint64_t end = 0;
  const auto add = [&](uint64_t to) {
    if (to > end) report.regions.push_back({end == 0 ? "graph" : "header", end, to - end});
  };
  for (const uint32_t i : order) {
    if (report.tensors[i].bytes == 0) continue;
    add(report.tensors[i].offset);
    end = report.tensors[i].offset + report.tensors[i].bytes;
  }
  add(report.file_bytes);
}

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

}  // namespace

Json values_document(const OnnxModel& model, const Graph& graph,
                     const std::vector<ValueInfo>& values) {
  Json list = Json::array();
  for (const ValueInfo& info : std::span(values).first(std::min(values.size(), kMaxListed))) {
    Json& row = list.append(Json::object());
    row.set("name", model.names[info.name]);
    row.set("dtype", dtype_document(info));
    row.set("shape", shape_document(model, graph, info));
  }
  return list;
}

Json opsets_document(const OnnxModel& model) {
  Json list = Json::array();
  for (const OpsetImport& opset :
       std::span(model.opsets).first(std::min(model.opsets.size(), kMaxListed))) {
    Json& row = list.append(Json::object());
    row.set("domain", model.names[opset.domain]);
    row.set("version", opset.version);
  }
  return list;
}

Json operators_document(const OnnxModel& model) {
  std::vector<uint64_t> counts(model.operators.size());
  const auto count = [&](const Graph& graph) {
    for (const Node& node : graph.nodes) ++counts[node.op];
  };
  count(model.graph);
  for (const Graph& graph : model.graphs) count(graph);
  for (const Function& function : model.functions) count(function.body);
  Json list = Json::array();
  for (const uint32_t i :
       sorted_order(counts.size(), [&](uint32_t a, uint32_t b) { return counts[a] > counts[b]; })) {
    Json& row = list.append(Json::object());
    row.set("name", model.names[model.operators[i].op_type]);
    row.set("domain", model.names[model.operators[i].domain]);
    row.set("count", counts[i]);
  }
  return list;
}

Json functions_document(const OnnxModel& model) {
  Json list = Json::array();
  for (const Function& function : model.functions) {
    Json& row = list.append(Json::object());
    row.set("name", model.names[function.name.op_type]);
    row.set("domain", model.names[function.name.domain]);
    row.set("nodes", uint64_t{function.body.nodes.size()});
  }
  return list;
}

model::Model report_of(const OnnxModel& model, uint64_t file_bytes) {
  model::Model report;
  report.format = "onnx";
  report.version = concat({"IR ", static_cast<uint64_t>(model.ir_version), ", opset ",
                           static_cast<uint64_t>(model.opset())});
  report.file_bytes = file_bytes;
  for (const Property& entry : model.metadata) {
    if (report.metadata.members().size() == io::kMaxMetadataEntries) break;
    report.metadata.set(model.names[entry.key], model.names[entry.value]);
  }
  Json& config = report.config = Json::object();
  config.set("graph", text_or_null(model.names[model.graph.name]));
  config.set("producer", text_or_null(model.names[model.producer]));
  config.set("producerVersion", text_or_null(model.names[model.producer_version]));
  config.set("opsets", opsets_document(model));
  config.set("inputs", values_document(model, model.graph, model.graph.inputs));
  config.set("outputs", values_document(model, model.graph, model.graph.outputs));
  config.set("nodes", uint64_t{model.graph.nodes.size()});
  config.set("operators", operators_document(model));
  config.set("functions", functions_document(model));
  config.set("external", external_document(model));
  add_tensors(model, report);
  add_constants(model, report);
  add_regions(report);
  return report;
}

}  // namespace ambry::formats::onnx
