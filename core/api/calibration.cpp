#include "api/calibration.h"

#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cnn_ranges.h"
#include "base/checked.h"
#include "formats/registry.h"
#include "model/cnn_plan.h"
#include "model/tensor_table.h"

namespace ambry::api {
namespace {

constexpr std::string_view kFormat = "tinyruntime";

Result<model::Model> read_model(const io::Source& source) {
  AMBRY_TRY(const formats::Format* format, formats::recognise(source));
  if (format->id != kFormat) {
    return make_error(ErrorCode::Unsupported, "source",
                      {"calibration runs tinyRuntime's networks, and this is ", format->id});
  }
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
                      "the network is quantised already; needed is the one in float");
  }
  std::optional<model::CnnGraph> graph;
  if (plan.empty()) {
    AMBRY_CHECK(model::residual_graph(builder.table(), 0));  // before anything is read for it
  } else {
    AMBRY_TRY(model::CnnPlan read, model::read_cnn_plan(plan));
    AMBRY_CHECK(model::check_graph(read.graph, builder.table()));
    graph = std::move(read.graph);
  }
  std::unique_ptr<Calibration> calibration(new Calibration(std::move(model), std::move(builder)));
  calibration->graph_ = std::move(graph);
  std::vector<size_t> all(calibration->model_.tensors.size());
  std::iota(all.begin(), all.end(), size_t{0});
  AMBRY_CHECK(calibration->lay_out(calibration->model_, all, 0, calibration->model_.file_bytes));
  return calibration;
}

Result<void> Calibration::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                   AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor || !builder_.wants(segment.tensor)) return {};
  return builder_.accept(segment.tensor, std::move(chunk));
}

Result<std::span<float>> Calibration::image(uint64_t n_numbers) {
  const auto bytes = checked_mul(n_numbers, sizeof(float));
  if (!bytes) return make_error(ErrorCode::Overflow, "image", "its size passes 64 bits");
  AMBRY_TRY(image_, AlignedBuffer::allocate(*bytes));
  return image_.as<float>();
}

Result<void> Calibration::create_network() {
  if (wanted() > 0) return make_error(ErrorCode::BadValue, "source", "the file is not read yet");
  if (!graph_) {
    const auto n_numbers = uint64_t{image_.as<float>().size()};
    AMBRY_TRY(graph_, model::residual_graph_of(builder_.table(), n_numbers));
  }
  AMBRY_CHECK(model::check_graph(*graph_, builder_.table()));
  auto weights = std::make_shared<const infer::CnnWeights>(std::move(builder_).finish());
  AMBRY_TRY(network_, infer::CnnNetwork::create(std::move(weights), std::move(*graph_)));
  watcher_.emplace(*network_);
  return {};
}

Result<void> Calibration::run() {
  if (!network_) AMBRY_CHECK(create_network());
  AMBRY_TRY(auto run,
            infer::CnnRun::begin(*network_, image_.as<float>(), infer::CnnMode::Exact, &*watcher_));
  while (!run.done()) AMBRY_CHECK(run.step());
  ++n_images_;
  return {};
}

Result<std::string> Calibration::ranges() const {
  if (n_images_ > 0) return ranges_document(watcher_->ranges()).dump();
  return make_error(ErrorCode::BadValue, "images", "at least one is needed");
}

}  // namespace ambry::api
