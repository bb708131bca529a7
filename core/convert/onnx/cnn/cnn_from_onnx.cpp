#include "convert/onnx/cnn/cnn_from_onnx.h"

#include <utility>

#include "convert/cnn/cnn_conversions.h"
#include "convert/onnx/cnn/read_network.h"
#include "formats/onnx/onnx_parse.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::convert {
namespace {

using model::CnnKind;
using onnx::GraphLayer;
using onnx::GraphNetwork;

Result<SourceModel> source_of(GraphNetwork& network) {
  SourceModel source;
  source.model.format = "onnx";
  for (Input& input : network.weights) {
    const auto [place, added] = source.strides.try_emplace(input.tensor.name, input.strides);
    if (!added && place->second != input.strides) {
      return error_at(ErrorCode::Unsupported, input.tensor.index_offset, input.tensor.name,
                      "one layer has the tensor transposed and another has not");
    }
    source.files.push_back(input.file);
    source.model.tensors.push_back(std::move(input.tensor));
  }
  return source;
}

CnnModules modules_of(const GraphNetwork& network, const SourceModel& source) {
  const auto tensor = [&](uint32_t number) {
    return number == GraphLayer::kNone ? nullptr : &source.model.tensors[number];
  };
  const auto norm_of = [&](const GraphLayer& layer, bool folds) {
    CnnModule norm{tensor(layer.norm[0])->name, CnnKind::BatchNorm};
    norm.weight = tensor(layer.norm[0]);
    norm.bias = tensor(layer.norm[1]);
    norm.mean = tensor(layer.norm[2]);
    norm.variance = tensor(layer.norm[3]);
    norm.folds = folds;
    return norm;
  };
  CnnModules modules;
  modules.from_graph = true;
  for (const GraphLayer& layer : network.layers) {
    if (layer.kind == CnnKind::BatchNorm) {
      modules.modules.push_back(norm_of(layer, false));
      continue;
    }
    CnnModule module{tensor(layer.weight)->name, layer.kind};
    module.weight = tensor(layer.weight);
    module.bias = tensor(layer.bias);
    module.stride = static_cast<int32_t>(layer.stride);
    module.padding = static_cast<int32_t>(layer.padding);
    modules.modules.push_back(module);
    if (layer.norm[0] != GraphLayer::kNone) modules.modules.push_back(norm_of(layer, true));
  }
  return modules;
}

}  // namespace

[[gnu::weak]] Result<Plan> plan_cnn_from_onnx(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const formats::onnx::OnnxModel model, formats::onnx::read_model(sources.main()));
  AMBRY_TRY(GraphNetwork network, onnx::read_network(onnx::OnnxFile(model, sources)));
  AMBRY_TRY(SourceModel source, source_of(network));
  CnnModules modules = modules_of(network, source);
  AMBRY_TRY(Plan plan, plan_cnn(std::move(source), std::move(modules), options));
  AMBRY_TRY(const model::CnnTable table, model::cnn_table(plan.target.config));
  AMBRY_RETURN_IF_ERROR(model::check_graph(network.graph, table));
  model::CnnPlan described;
  described.graph = std::move(network.graph);
  plan.network = model::cnn_plan_document(described);
  return plan;
}

}  // namespace ambry::convert
