#include "api/image_classifier/calibration.h"

#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "api/image_classifier/ranges_json.h"
#include "formats/registry.h"
#include "model/cnn/cnn_plan.h"
#include "model/file/tensor_table.h"

namespace ambry::api {
namespace {

Result<model::Model> read_model(const io::Source& source) {
  // Only these formats are linked into the module that calibrates.
  AMBRY_TRY(const formats::Format* format,
            formats::recognise(source, formats::image_classifier_formats()));
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, format->parse(source, diagnostics, {}));
  model::check_regions_disjoint(model.tensors, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  return model;
}

}  // namespace

Result<std::unique_ptr<Calibration>> Calibration::begin(const io::Source& source,
                                                        std::string_view plan) {
  AMBRY_TRY(model::Model model, read_model(source));
  AMBRY_TRY(auto builder, infer::CnnWeightsBuilder::plan(model));
  if (builder.table().variant != model::CnnVariant::Vanilla) {
    return make_error(ErrorCode::Unsupported, "config.variant",
                      "the network is already quantized; use the float network");
  }
  std::optional<model::CnnPlan> stated;
  if (plan.empty()) {
    AMBRY_RETURN_IF_ERROR(
        model::residual_graph(builder.table(), 0));  // check before reading anything for it
  } else {
    AMBRY_TRY(stated, model::read_cnn_plan(plan));
    AMBRY_RETURN_IF_ERROR(model::check_graph(stated->graph, builder.table()));
  }
  std::unique_ptr<Calibration> calibration(new Calibration(std::move(model), std::move(builder)));
  calibration->plan_ = std::move(stated);
  std::vector<size_t> all(calibration->model_.tensors.size());
  std::iota(all.begin(), all.end(), size_t{0});
  AMBRY_RETURN_IF_ERROR(
      calibration->lay_out(calibration->model_, all, 0, calibration->model_.file_bytes));
  return calibration;
}

Result<void> Calibration::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                   AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor || !builder_.wants(segment.tensor)) return {};
  return builder_.accept(segment.tensor, std::move(chunk));
}

Result<std::span<float>> Calibration::image(uint64_t n_values) { return image_.tensor(n_values); }

Result<MutableBytes> Calibration::picture(uint64_t width, uint64_t height) {
  return image_.picture(facts(), width, height);
}

Result<void> Calibration::create_network() {
  if (wanted() > 0)
    return make_error(ErrorCode::BadValue, "source", "the file has not been read completely");
  AMBRY_TRY(model::CnnGraph graph, image_.graph(facts()));
  AMBRY_RETURN_IF_ERROR(model::check_graph(graph, builder_.table()));
  auto weights = std::make_shared<const infer::CnnWeights>(std::move(builder_).finish());
  AMBRY_TRY(network_, infer::CnnNetwork::create(std::move(weights), std::move(graph)));
  watcher_.emplace(*network_);
  return {};
}

Result<void> Calibration::run() {
  if (!network_) AMBRY_RETURN_IF_ERROR(create_network());
  AMBRY_TRY(const auto values, image_.values(facts(), network_->graph().input));
  AMBRY_TRY(auto run, infer::CnnRun::begin(*network_, values, infer::CnnMode::Exact, &*watcher_));
  while (!run.done()) AMBRY_RETURN_IF_ERROR(run.step());
  ++n_images_;
  return {};
}

Result<std::string> Calibration::ranges() const {
  if (n_images_ > 0) return ranges_document(watcher_->ranges()).dump();
  return make_error(ErrorCode::BadValue, "images", "calibration needs at least one image");
}

}  // namespace ambry::api
