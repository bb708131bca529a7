#include "api/image_classifier/image_classifier_model.h"

#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/loading/parse_to_run.h"
#include "formats/registry.h"
#include "model/file/tensor_table.h"

namespace ambry::api {

namespace {

using io::Json;

class ImageClassifierLoader final : public Loader {
 public:
  ImageClassifierLoader(model::Model model, infer::CnnWeightsBuilder builder)
      : Loader(ImageClassifierModel::kKind),
        model_(std::move(model)),
        builder_(std::move(builder)) {}

  [[nodiscard]] Result<void> lay_out() {
    std::vector<size_t> all(model_.tensors.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return ByteSink::lay_out(model_, all, 0, model_.file_bytes);
  }

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override {
    assert(wanted() == 0);
    return std::unique_ptr<OpenedModel>(
        new ImageClassifierModel(std::move(model_), std::move(builder_).finish()));
  }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t /*offset*/,
                                      AlignedBuffer& chunk) override {
    if (segment.tensor == kNoTensor || !builder_.wants(segment.tensor)) return {};
    return builder_.accept(segment.tensor, std::move(chunk));
  }

  model::Model model_;
  infer::CnnWeightsBuilder builder_;
};

}  // namespace

Result<std::unique_ptr<Loader>> ImageClassifierModel::load(const io::Source& source,
                                                           std::string_view /*options*/) {
  AMBRY_TRY(model::Model model, parse_to_run(source, formats::image_classifier_formats()));
  io::Diagnostics diagnostics;
  model::check_regions_disjoint(model.tensors, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  AMBRY_TRY(auto builder, infer::CnnWeightsBuilder::plan(model));
  auto loader = std::make_unique<ImageClassifierLoader>(std::move(model), std::move(builder));
  AMBRY_RETURN_IF_ERROR(loader->lay_out());
  return std::unique_ptr<Loader>(std::move(loader));
}

ImageClassifierModel::ImageClassifierModel(model::Model model, infer::CnnWeights weights)
    : OpenedModel(kKind),
      model_(std::move(model)),
      weights_(std::make_shared<const infer::CnnWeights>(std::move(weights))) {}

std::string ImageClassifierModel::info() const {
  Json document = file_info(model_, model_.config);
  Json& classifier = document.set("imageClassifier", Json::object());
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

uint64_t ImageClassifierModel::weight_bytes() const {
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

Result<void> ImageClassifierModel::use_plan(std::string_view plan) {
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

Result<ClassifyJob> ImageClassifierModel::begin_classify(std::string_view options) const {
  AMBRY_TRY(const ClassifyOptions read, ClassifyOptions::read(options));
  if (!plan_) AMBRY_RETURN_IF_ERROR(model::residual_graph(weights_->table, 0));
  return ClassifyJob(weights_, plan_, read);
}

}  // namespace ambry::api
