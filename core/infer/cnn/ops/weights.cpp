#include "infer/cnn/ops/weights.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>

namespace ambry::infer {
namespace {

using model::CnnKind;
using model::CnnLayer;
using model::CnnVariant;

template <class T>
std::vector<T> vector_of(const AlignedBuffer& buffer) {
  const std::span<const T> values = buffer.as<T>();
  return {values.begin(), values.end()};
}

int32_t wrapped_difference(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

}  // namespace

CnnWeightsBuilder::Part CnnWeightsBuilder::part_of(std::string_view name) {
  constexpr std::array<std::string_view, static_cast<size_t>(Part::None)> kEnds = {
      ".weight",     ".weight.scale",    ".weight.zero_point", ".bias",
      ".bias.scale", ".bias.zero_point", ".running_mean",      ".running_var"};
  size_t part = 0;
  while (part < kEnds.size() && !name.ends_with(kEnds[part])) ++part;
  return static_cast<Part>(part);
}

Result<CnnWeightsBuilder> CnnWeightsBuilder::plan(const model::Model& model) {
  CnnWeightsBuilder builder;
  AMBRY_TRY(builder.weights_.table, model::cnn_table(model.config));
  builder.places_.resize(model.tensors.size());
  for (const CnnKind kind : model::kCnnKinds) {
    const size_t n_layers = builder.weights_.table.of(kind).size();
    builder.weights_.of(kind).resize(n_layers);
    std::vector<Raw>& raw = builder.raw_[static_cast<size_t>(kind)];
    raw.resize(n_layers);
    for (size_t i = 0; i < n_layers; ++i) {
      for (const model::CnnTensor& tensor : model::cnn_tensors(builder.weights_.table, kind, i)) {
        const model::TensorEntry* entry = model.find(tensor.name);
        if (entry == nullptr) return make_error(ErrorCode::NotFound, tensor.name, "is missing");
        builder.places_[static_cast<size_t>(entry - model.tensors.data())] = {kind, i,
                                                                              part_of(tensor.name)};
        ++raw[i].missing;
      }
    }
  }
  return builder;
}

Result<void> CnnWeightsBuilder::accept(size_t index, AlignedBuffer bytes) {
  const Place& place = places_[index];
  Raw& raw = raw_[static_cast<size_t>(place.kind)][place.layer];
  raw.parts[static_cast<size_t>(place.part)] = std::move(bytes);
  if (--raw.missing > 0) return {};
  AMBRY_RETURN_IF_ERROR(pack(place, raw));
  raw = Raw();
  return {};
}

Result<void> CnnWeightsBuilder::pack(const Place& place, Raw& raw) {
  CnnParameters& to = weights_.of(place.kind)[place.layer];
  const CnnLayer& layer = weights_.table.of(place.kind)[place.layer];
  if (place.kind == CnnKind::BatchNorm) {
    to.scales = vector_of<float>(raw.of(Part::Weight));
    to.bias = vector_of<float>(raw.of(Part::Bias));
    to.mean = vector_of<float>(raw.of(Part::Mean));
    to.variance = vector_of<float>(raw.of(Part::Variance));
    return {};
  }
  switch (weights_.table.variant) {
    case CnnVariant::Vanilla:
      to.weight = std::move(raw.parts[static_cast<size_t>(Part::Weight)]);
      to.bias = vector_of<float>(raw.of(Part::Bias));
      return {};
    case CnnVariant::Dq8:
      AMBRY_RETURN_IF_ERROR(pack_int16(layer, raw, to));
      pack_dq8_parameters(layer, raw, to);
      return {};
    default:
      to.integer_bias = vector_of<int32_t>(raw.of(Part::Bias));
      return runs_on_int8(layer) ? pack_int8(layer, raw, to) : pack_int16(layer, raw, to);
  }
}

Result<void> CnnWeightsBuilder::pack_int16(const CnnLayer& layer, const Raw& raw,
                                           CnnParameters& to) const {
  const bool fixed = weights_.table.variant == CnnVariant::Sq8;
  const std::span<const int8_t> codes = raw.of(Part::Weight).as<int8_t>();
  const auto group =
      fixed ? static_cast<size_t>(layer.row()) : static_cast<size_t>(layer.weight_group);
  const int32_t zero_point = fixed ? layer.weight_zero_point : 0;
  const size_t padded = (group + 1) / 2 * 2;
  const uint64_t n_groups = codes.size() / group;
  AMBRY_TRY(to.weight, AlignedBuffer::allocate(n_groups * padded * sizeof(int16_t)));
  int16_t* pair = to.weight.as<int16_t>().data();
  for (size_t i = 0; i < codes.size(); ++i) {
    *pair++ = static_cast<int16_t>(codes[i] - zero_point);
    if ((i + 1) % group == 0 && padded != group) *pair++ = 0;
  }
  return {};
}

Result<void> CnnWeightsBuilder::pack_int8(const CnnLayer& layer, const Raw& raw,
                                          CnnParameters& to) {
  const std::span<const int8_t> codes = raw.of(Part::Weight).as<int8_t>();
  const auto row = static_cast<size_t>(layer.row());
  const size_t padded = (row + 3) / 4 * 4;
  AMBRY_TRY(to.weight, AlignedBuffer::allocate(uint64_t{padded} * (codes.size() / row)));
  const std::span<int8_t> quads = to.weight.as<int8_t>();
  std::ranges::fill(quads, int8_t{0});
  for (size_t from = 0, at = 0; from < codes.size(); from += row, at += padded) {
    const auto of_row = codes.subspan(from, row);
    std::ranges::copy(of_row, quads.subspan(at).begin());
    uint32_t sum = 0;
    for (const int8_t code : of_row) sum += static_cast<uint32_t>(int32_t{code});
    to.sums.push_back(static_cast<int32_t>(sum));
  }
  return {};
}

void CnnWeightsBuilder::pack_dq8_parameters(const CnnLayer& layer, const Raw& raw,
                                            CnnParameters& to) const {
  to.scales = vector_of<float>(raw.of(Part::WeightScale));
  to.zero_points = vector_of<int32_t>(raw.of(Part::WeightZeroPoint));
  const std::span<const int8_t> codes = raw.of(Part::Weight).as<int8_t>();
  const auto group = static_cast<size_t>(layer.weight_group);
  if (!to.zero_points.empty()) {
    for (size_t g = 0; g < to.scales.size(); ++g) {
      uint32_t sum = 0;
      for (const int8_t code : codes.subspan(g * group, group)) {
        sum += static_cast<uint32_t>(wrapped_difference(code, to.zero_points[g]));
      }
      to.sums.push_back(static_cast<int32_t>(sum));
    }
  }
  const std::span<const int8_t> biases = raw.of(Part::Bias).as<int8_t>();
  const std::span<const float> scales = raw.of(Part::BiasScale).as<float>();
  const std::span<const int32_t> zero_points = raw.of(Part::BiasZeroPoint).as<int32_t>();
  for (size_t i = 0; i < biases.size(); ++i) {
    const size_t g = i / static_cast<size_t>(layer.bias_group);
    const int32_t zero_point = zero_points.empty() ? 0 : zero_points[g];
    to.bias.push_back(static_cast<float>(wrapped_difference(biases[i], zero_point)) * scales[g]);
  }
}

CnnWeights CnnWeightsBuilder::finish() && { return std::move(weights_); }

}  // namespace ambry::infer
