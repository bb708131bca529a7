// Writes a plan as JSON.
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cnn/cnn_plan.h"
#include "model/cnn/cnn_plan_fields.h"

namespace ambry::model {
namespace {

using io::Json;

template <class Items>
Json list_of(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.append(Json(item));
  return list;
}

Json floats_of(const std::vector<float>& items) {
  return list_of(std::vector<double>(items.begin(), items.end()));
}

Json value_name(uint32_t value) {
  return value == 0 ? Json(kPlanInputName) : Json(concat({"v", value}));
}

Json nodes_of(const CnnGraph& graph) {
  Json nodes = Json::array();
  uint32_t value = 0;
  for (const CnnNode& node : graph.nodes) {
    const CnnOpForm& form = cnn_op_form(node.op);
    Json& item = nodes.append(Json::array());
    item.append(form.name);
    for (size_t i = 0; i < form.n_parameters; ++i) item.append(node.*form.parameters[i]);
    item.append(value_name(node.in));
    if (form.n_operands == 2) item.append(value_name(node.other));
    item.append(value_name(++value));
    if (node.quantize.empty()) continue;
    item.append(Json::object()).set("quantize", list_of(node.quantize));
  }
  return nodes;
}

}  // namespace

Json cnn_plan_document(const CnnPlan& plan) {
  Json document = Json::object();
  const CnnShape& input = plan.graph.input;
  document.set("input", list_of(std::array{input.channels, input.height, input.width}));
  document.set("nodes", nodes_of(plan.graph));
  document.set("output", value_name(plan.graph.output));
  if (plan.image) {
    Json& image = document.set("image", Json::object());
    image.set("mean", floats_of(plan.image->mean));
    image.set("std", floats_of(plan.image->deviation));
    image.set("resize", plan.image->crop ? "crop" : "stretch");
  }
  if (!plan.labels.empty()) document.set("labels", list_of(plan.labels));
  return document;
}

}  // namespace ambry::model
