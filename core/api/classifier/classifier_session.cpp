#include "api/classifier/classifier_session.h"

#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/loading/parse_to_run.h"
#include "formats/registry.h"
#include "model/file/tensor_table.h"

namespace ambry::api {

using io::Json;

Result<std::unique_ptr<ClassifierLoader>> ClassifierLoader::begin(const io::Source& source) {
  AMBRY_TRY(model::Model model, parse_to_run(source, formats::classifier_formats()));
  io::Diagnostics diagnostics;
  model::check_regions_disjoint(model.tensors, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  AMBRY_TRY(auto builder, infer::CnnWeightsBuilder::plan(model));
  std::unique_ptr<ClassifierLoader> loader(
      new ClassifierLoader(std::move(model), std::move(builder)));
  std::vector<size_t> all(loader->model_.tensors.size());
  std::iota(all.begin(), all.end(), size_t{0});
  AMBRY_RETURN_IF_ERROR(loader->lay_out(loader->model_, all, 0, loader->model_.file_bytes));
  return loader;
}

Result<void> ClassifierLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                        AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor || !builder_.wants(segment.tensor)) return {};
  return builder_.accept(segment.tensor, std::move(chunk));
}

ClassifierSession ClassifierLoader::finish() {
  assert(wanted() == 0);
  return {std::move(model_), std::move(builder_).finish()};
}

ClassifierSession::ClassifierSession(model::Model model, infer::CnnWeights weights)
    : model_(std::move(model)),
      weights_(std::make_shared<const infer::CnnWeights>(std::move(weights))) {}

std::string ClassifierSession::info() const {
  Json document = file_info(model_, model_.config);
  Json& classifier = document.set("classifier", Json::object());
  const bool derived = model::residual_graph(weights_->table, 0).has_value();
  classifier.set("variant", model::cnn_variant_name(weights_->table.variant));
  classifier.set("plan", plan_ ? "given" : derived ? "derived" : "needed");
  Json& input = classifier.set("input", plan_ ? Json::array() : Json());
  if (plan_) {
    const model::CnnShape& shape = plan_->graph.input;
    for (const uint32_t extent : {shape.channels, shape.height, shape.width}) input.append(extent);
  }
  const auto& linears = weights_->table.linears;
  classifier.set("classes", linears.empty() ? Json() : Json(int64_t{linears.back().out}));
  return document.dump();
}

uint64_t ClassifierSession::weight_bytes() const {
  uint64_t bytes = 0;
  for (const auto& layers : weights_->layers) {
    for (const infer::CnnParameters& layer : layers) {
      const uint64_t words = uint64_t{layer.scales.size()} + layer.zero_points.size() +
                             layer.sums.size() + layer.bias.size() + layer.integer_bias.size() +
                             layer.mean.size() + layer.variance.size();
      bytes += layer.weight.size() + words * sizeof(float);
    }
  }
  return bytes;
}

Result<void> ClassifierSession::use_plan(std::string_view plan) {
  AMBRY_TRY(model::CnnPlan read, model::read_cnn_plan(plan));
  AMBRY_TRY(const auto shapes, model::check_graph(read.graph, weights_->table));
  const uint64_t outputs = shapes[read.graph.output].count();
  if (!read.labels.empty() && read.labels.size() != outputs) {
    return make_error(ErrorCode::Mismatch, "plan.labels",
                      {"there are ", uint64_t{read.labels.size()}, " labels, but the network has ",
                       outputs, " outputs"});
  }
  plan_ = std::move(read);
  return {};
}

Result<ClassifyJob> ClassifierSession::begin_classify(std::string_view options) const {
  AMBRY_TRY(const ClassifyOptions read, ClassifyOptions::read(options));
  if (!plan_) AMBRY_RETURN_IF_ERROR(model::residual_graph(weights_->table, 0));
  return ClassifyJob(weights_, plan_, read);
}

}  // namespace ambry::api
