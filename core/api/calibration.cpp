#include "api/calibration.h"

#include <numeric>
#include <string_view>
#include <utility>

#include "api/cnn_ranges.h"
#include "base/checked.h"
#include "formats/registry.h"
#include "model/cnn_blocks.h"
#include "model/tensor_table.h"
#include "tensor/convert.h"

namespace ambry::api {
namespace {

using infer::CnnLayerWeights;
using model::CnnKind;

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

// Of the part of a layer that the last piece of its name says.
std::vector<float>& part_of(CnnLayerWeights& layer, std::string_view name) {
  if (name.ends_with(".weight")) return layer.weight;
  if (name.ends_with(".bias")) return layer.bias;
  return name.ends_with(".running_mean") ? layer.mean : layer.variance;
}

}  // namespace

Result<std::unique_ptr<Calibration>> Calibration::begin(const io::Source& source) {
  std::unique_ptr<Calibration> calibration(new Calibration());
  AMBRY_CHECK(calibration->prepare(source));
  return calibration;
}

Result<void> Calibration::prepare(const io::Source& source) {
  AMBRY_TRY(model_, read_model(source));
  AMBRY_TRY(weights_.table, model::cnn_table(model_.config));
  if (weights_.table.variant != model::CnnVariant::Vanilla) {
    return make_error(ErrorCode::Unsupported, "config.variant",
                      "the network is quantised already; needed is the one in float");
  }
  AMBRY_CHECK(model::cnn_blocks(weights_.table));  // before anything is read for it
  places_.resize(model_.tensors.size());
  for (const CnnKind kind : model::kCnnKinds) {
    auto& layers = kind == CnnKind::Conv     ? weights_.convs
                   : kind == CnnKind::Linear ? weights_.linears
                                             : weights_.batch_norms;
    layers.resize(weights_.table.of(kind).size());
    for (size_t i = 0; i < layers.size(); ++i) {
      for (const model::CnnTensor& tensor : model::cnn_tensors(weights_.table, kind, i)) {
        const model::TensorEntry* entry = model_.find(tensor.name);
        if (entry == nullptr) return make_error(ErrorCode::NotFound, tensor.name, "is missing");
        places_[static_cast<size_t>(entry - model_.tensors.data())] =
            &part_of(layers[i], tensor.name);
      }
    }
  }
  std::vector<size_t> all(places_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return lay_out(model_, all, 0, model_.file_bytes);
}

Result<void> Calibration::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                   AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor || places_[segment.tensor] == nullptr) return {};
  std::vector<float>& values = *places_[segment.tensor];
  values.resize(chunk.size() / sizeof(float));
  return tensor::to_f32(tensor::DType::F32, chunk.bytes(), values);
}

Result<std::span<float>> Calibration::image(uint64_t n_numbers) {
  const auto bytes = checked_mul(n_numbers, sizeof(float));
  if (!bytes) return make_error(ErrorCode::Overflow, "image", "its size passes 64 bits");
  AMBRY_TRY(image_, AlignedBuffer::allocate(*bytes));
  return image_.as<float>();
}

Result<void> Calibration::run() {
  if (!network_) {
    if (wanted() > 0) return make_error(ErrorCode::BadValue, "source", "the file is not read yet");
    AMBRY_TRY(network_, infer::CnnForward::create(std::move(weights_)));
  }
  AMBRY_CHECK(network_->run(image_.as<float>()));
  ++n_images_;
  return {};
}

Result<std::string> Calibration::ranges() const {
  if (n_images_ > 0) return ranges_document(network_->ranges()).dump();
  return make_error(ErrorCode::BadValue, "images", "at least one is needed");
}

}  // namespace ambry::api
