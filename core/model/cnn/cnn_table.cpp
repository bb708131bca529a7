#include "model/cnn/cnn_table.h"

#include <array>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "base/concat.h"
#include "model/encoder/encoder_tensors.h"

namespace ambry::model {
namespace {

using tensor::DType;
using tensor::Shape;

constexpr float kAny = -std::numeric_limits<float>::infinity();

// Far above any real network, and low enough that products of three fit 64 bits.
constexpr int32_t kMaxExtent = 1 << 20;

// What batch norms add to the variance. The file does not store it.
constexpr float kEpsilon = 1e-5F;

constexpr CnnField kKernel{"k", &CnnLayer::kernel};
constexpr CnnField kStride{"stride", &CnnLayer::stride};
constexpr CnnField kPadding{"pad", &CnnLayer::padding};
constexpr CnnField kBias{"bias", &CnnLayer::bias};
constexpr CnnField kWeightGroup{"gs_w", &CnnLayer::weight_group};
constexpr CnnField kBiasGroup{"gs_b", &CnnLayer::bias_group};
constexpr CnnField kWeightScale{"wscale", nullptr, &CnnLayer::weight_scale};
constexpr CnnField kWeightZero{"wzp", &CnnLayer::weight_zero_point};
constexpr CnnField kOutScale{"out_scale", nullptr, &CnnLayer::out_scale};
constexpr CnnField kOutZero{"out_zp", &CnnLayer::out_zero_point};
constexpr CnnField kInChannels{"ic", &CnnLayer::in};
constexpr CnnField kOutChannels{"oc", &CnnLayer::out};
constexpr CnnField kIn{"in", &CnnLayer::in};
constexpr CnnField kOut{"out", &CnnLayer::out};

// The entries of core/formats/tinyruntime/README.md#layout, without the offsets.
constexpr std::array kVanillaConv{kKernel, kStride, kPadding, kInChannels, kOutChannels, kBias};
constexpr std::array kDq8Conv{kKernel,      kStride,      kPadding,  kInChannels,
                              kOutChannels, kWeightGroup, kBiasGroup};
constexpr std::array kSq8Conv{kKernel,      kStride,     kPadding,  kInChannels, kOutChannels,
                              kWeightScale, kWeightZero, kOutScale, kOutZero,    kBias};
constexpr std::array kVanillaLinear{kIn, kOut, kBias};
constexpr std::array kDq8Linear{kIn, kOut, kWeightGroup, kBiasGroup};
constexpr std::array kSq8Linear{kIn, kOut, kWeightScale, kWeightZero, kOutScale, kOutZero, kBias};
constexpr std::array kBatchNorm{CnnField{"n", &CnnLayer::out}};

// Collects the faults of one layer.
class LayerCheck {
 public:
  LayerCheck(CnnVariant variant, CnnKind kind, const CnnLayer& layer, uint64_t max_weights)
      : kind_(kind), layer_(layer), max_weights_(max_weights), fields_(cnn_fields(variant, kind)) {}

  std::vector<CnnFault> run() {
    for (size_t i = 0; i < n_dims(kind_); ++i) check_dim(i);
    if (faults_.empty()) check_size();
    for (size_t i = n_dims(kind_); i < fields_.size(); ++i) check_rest(i);
    return std::move(faults_);
  }

 private:
  [[nodiscard]] int32_t integer(size_t field) const { return layer_.*fields_[field].integer; }
  [[nodiscard]] bool is(size_t field, int32_t CnnLayer::* member) const {
    return fields_[field].integer == member;
  }

  void report(size_t field, ErrorCode code, const Text& message) {
    faults_.push_back({field, code, message.str()});
  }
  void expect_range(size_t field, int32_t min, int32_t max) {
    if (integer(field) >= min && integer(field) <= max) return;
    report(field, ErrorCode::BadValue,
           {std::to_string(integer(field)), ", expected ", std::to_string(min), " to ",
            std::to_string(max)});
  }

  void check_dim(size_t field) {
    expect_range(field, is(field, &CnnLayer::padding) ? 0 : 1, kMaxExtent);
  }

  void check_size() {
    const auto count = kind_ == CnnKind::BatchNorm
                           ? std::optional(static_cast<uint64_t>(layer_.out))
                           : checked_mul(layer_.row(), static_cast<uint64_t>(layer_.out));
    if (count && *count <= max_weights_) return;
    const size_t out = n_dims(kind_) - 1;
    if (!count) return report(out, ErrorCode::Overflow, "the number of weights passes 64 bits");
    report(out, ErrorCode::Truncated,
           {*count, " weights, more than the ", max_weights_, " that the file can hold"});
  }

  void check_rest(size_t field) {
    if (fields_[field].real != nullptr) {
      if (const float scale = layer_.*fields_[field].real; !(std::isfinite(scale) && scale > 0)) {
        report(field, ErrorCode::BadValue, "a scale must be a finite number above 0");
      }
    } else if (is(field, &CnnLayer::bias)) {
      expect_range(field, 0, 1);
    } else if (is(field, &CnnLayer::weight_zero_point)) {
      expect_range(field, -128, 127);
    } else if (is(field, &CnnLayer::out_zero_point)) {
      expect_range(field, 0, 255);
    } else if (is(field, &CnnLayer::weight_group)) {
      check_group(field, 1, layer_.row(), "weights of an output");
    } else {
      check_group(field, 0, static_cast<uint64_t>(layer_.out), "biases");
    }
  }

  void check_group(size_t field, int32_t min, uint64_t grouped, std::string_view what) {
    const int32_t size = integer(field);
    if (size < min) {
      return report(field, ErrorCode::BadValue,
                    {std::to_string(size), ", expected at least ", std::to_string(min)});
    }
    // With a wrong shape, no group can be judged.
    if (size == 0 || !faults_.empty() || grouped % static_cast<uint64_t>(size) == 0) return;
    report(field, ErrorCode::BadValue,
           {"groups of ", static_cast<uint32_t>(size), " do not divide the ", grouped, " ", what});
  }

  CnnKind kind_;
  const CnnLayer& layer_;
  uint64_t max_weights_;
  std::span<const CnnField> fields_;
  std::vector<CnnFault> faults_;
};

void add_quantized(std::vector<CnnTensor>& tensors, const CnnTable& table, std::string name,
                   DType dtype, const Shape& shape, const Shape& groups) {
  const std::string scale = scale_name(name);
  const std::string zero_point = zero_point_name(name);
  tensors.push_back({std::move(name), dtype, shape, true});
  if (table.variant != CnnVariant::Dq8) return;
  // In symmetric files, a group of zeros has the scale 0.
  const float above = table.asymmetric ? 0 : -std::numeric_limits<float>::denorm_min();
  tensors.push_back({scale, DType::F32, groups, false, above});
  if (table.asymmetric) tensors.push_back({zero_point, DType::I32, groups, false});
}

}  // namespace

std::vector<CnnLayer>& CnnTable::of(CnnKind kind) {
  return kind == CnnKind::Conv ? convs : kind == CnnKind::Linear ? linears : batch_norms;
}

const std::vector<CnnLayer>& CnnTable::of(CnnKind kind) const {
  return kind == CnnKind::Conv ? convs : kind == CnnKind::Linear ? linears : batch_norms;
}

std::string_view cnn_variant_name(CnnVariant variant) {
  static constexpr std::array<std::string_view, 3> kNames = {"vanilla", "dq8", "sq8"};
  return kNames[static_cast<size_t>(variant)];
}

std::string_view cnn_kind_name(CnnKind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"conv", "linear", "batchnorm"};
  return kNames[static_cast<size_t>(kind)];
}

std::span<const CnnField> cnn_fields(CnnVariant variant, CnnKind kind) {
  if (kind == CnnKind::BatchNorm) return kBatchNorm;
  const bool conv = kind == CnnKind::Conv;
  switch (variant) {
    case CnnVariant::Dq8:
      return conv ? std::span<const CnnField>(kDq8Conv) : kDq8Linear;
    case CnnVariant::Sq8:
      return conv ? std::span<const CnnField>(kSq8Conv) : kSq8Linear;
    default:
      return conv ? std::span<const CnnField>(kVanillaConv) : kVanillaLinear;
  }
}

size_t n_dims(CnnKind kind) { return kind == CnnKind::Conv ? 5 : kind == CnnKind::Linear ? 2 : 1; }

std::vector<CnnFault> check_layer(CnnVariant variant, CnnKind kind, const CnnLayer& layer,
                                  uint64_t max_weights) {
  return LayerCheck(variant, kind, layer, max_weights).run();
}

std::optional<std::string> check_activation(const CnnActivation& activation) {
  if (!std::isfinite(activation.scale) || activation.scale <= 0) {
    return "a scale must be a finite number above 0";
  }
  if (activation.zero_point >= 0 && activation.zero_point <= 255) return std::nullopt;
  return concat({"a zero point of ", std::to_string(activation.zero_point), ", expected 0 to 255"});
}

std::vector<CnnTensor> cnn_tensors(const CnnTable& table, CnnKind kind, size_t index) {
  const CnnLayer& layer = table.of(kind)[index];
  const std::string prefix = concat({cnn_kind_name(kind), ".", uint64_t{index}, "."});
  const auto out = static_cast<uint64_t>(layer.out);
  std::vector<CnnTensor> tensors;
  if (kind == CnnKind::BatchNorm) {
    for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
      tensors.push_back({prefix + name, DType::F32, {out}, false, kAny});
    }
    tensors.back().finite_above = -kEpsilon;
    return tensors;
  }
  const auto in = static_cast<uint64_t>(layer.in);
  const auto k = static_cast<uint64_t>(layer.kernel);
  const Shape shape = kind == CnnKind::Conv ? Shape{out, in, k, k} : Shape{out, in};
  if (table.variant == CnnVariant::Vanilla) {
    tensors.push_back({prefix + "weight", DType::F32, shape, false, kAny});
    if (layer.bias != 0) tensors.push_back({prefix + "bias", DType::F32, {out}, false, kAny});
    return tensors;
  }
  const bool dynamic = table.variant == CnnVariant::Dq8;
  Shape groups;
  if (dynamic) groups = {out, layer.row() / static_cast<uint64_t>(layer.weight_group)};
  add_quantized(tensors, table, prefix + "weight", DType::I8, shape, groups);
  if (layer.bias == 0) return tensors;
  if (dynamic) groups = {out / static_cast<uint64_t>(layer.bias_group)};
  add_quantized(tensors, table, prefix + "bias", dynamic ? DType::I8 : DType::I32, {out}, groups);
  return tensors;
}

}  // namespace ambry::model
