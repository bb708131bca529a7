#include "tensor/codec/precision_budget.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace ambry::tensor {
namespace {

constexpr int kExponentBias = 127;
constexpr int kMantissaBits = 23;

}  // namespace

void PrecisionBudget::begin_tensor(const PayloadLayout& layout) {
  Tensor tensor;
  tensor.elements = layout.rows * layout.cols;
  tensor.stored_a_block = layout.block;
  tensor.n_scales = layout.n_scales;
  tensor.int4_bytes = layout.min_bytes;
  assert(layout.scale_bytes == sizeof(uint16_t));
  tensor.bits.resize(kBins);
  tensors_.push_back(std::move(tensor));
}

// The bits of a float are its logarithm, cut into steps.
size_t PrecisionBudget::bin_of(double gain_a_bit) {
  constexpr int kShift = kMantissaBits - std::bit_width(unsigned{kBinsADoubling}) + 1;
  constexpr auto kFirst = static_cast<uint32_t>((kExponentBias + kLeastExponent) * kBinsADoubling);
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto value = static_cast<float>(std::min(gain_a_bit, kMost));
  const uint32_t step = std::bit_cast<uint32_t>(value) >> kShift;
  return std::min<size_t>(step < kFirst ? 0 : step - kFirst, kBins - 1);
}

PrecisionBudget::Upgrades PrecisionBudget::upgrades(const BlockErrors& errors, uint64_t stored) {
  Upgrades found;
  for (size_t now = 0; now + 1 < kPrecisions.size();) {
    size_t best = now;
    double best_gain = 0;
    for (size_t to = now + 1; to < kPrecisions.size(); ++to) {
      const uint32_t bits = code_bits(kPrecisions[to]) - code_bits(kPrecisions[now]);
      const double gain = (errors.squared[now] - errors.squared[to]) / bits;
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = to;
    }
    if (best == now) break;
    found.list[found.size++] = {best, code_bits(kPrecisions[best]) - code_bits(kPrecisions[now]),
                                bin_of(best_gain / static_cast<double>(stored))};
    now = best;
  }
  return found;
}

void PrecisionBudget::add(const BlockErrors& errors) {
  Tensor& tensor = tensors_.back();
  tensor.wide_scales = tensor.wide_scales || !errors.scales_fit_half;
  const Upgrades worth = upgrades(errors, tensor.stored_a_block);
  for (size_t i = 0; i < worth.size; ++i) tensor.bits[worth.list[i].bin] += worth.list[i].bits;
}

uint64_t PrecisionBudget::least_bytes(const Tensor& tensor) {
  const uint64_t wider = tensor.wide_scales ? sizeof(float) - sizeof(uint16_t) : 0;
  return tensor.int4_bytes + tensor.n_scales * wider;
}

Result<void> PrecisionBudget::settle(double bits_per_weight) {
  uint64_t elements = 0;
  uint64_t bytes = 0;
  for (const Tensor& tensor : tensors_) {
    elements += tensor.elements;
    bytes += least_bytes(tensor);
  }
  const double allowed = bits_per_weight * static_cast<double>(elements) / 8;
  if (static_cast<double>(bytes) > allowed) {
    const uint64_t hundredths = elements == 0 ? 0 : (bytes * 800 + elements - 1) / elements;
    return make_error(ErrorCode::BadValue, "bits",
                      {"too few bits a weight: with the blocks' scales it takes at least ",
                       hundredths / 100, hundredths % 100 < 10 ? ".0" : ".", hundredths % 100});
  }
  for (least_bin_ = kBins; least_bin_ > 0; --least_bin_) {
    for (const Tensor& tensor : tensors_) {
      bytes += tensor.bits[least_bin_ - 1] * (tensor.stored_a_block / 8);
    }
    if (static_cast<double>(bytes) > allowed) break;
  }
  return {};
}

DType PrecisionBudget::choose(size_t tensor, const BlockErrors& errors) const {
  const Upgrades worth = upgrades(errors, tensors_[tensor].stored_a_block);
  size_t precision = 0;
  for (size_t i = 0; i < worth.size && worth.list[i].bin >= least_bin_; ++i) {
    precision = worth.list[i].precision;
  }
  return kPrecisions[precision];
}

DType PrecisionBudget::scale_type(size_t tensor) const {
  return tensors_[tensor].wide_scales ? DType::F32 : DType::F16;
}

uint64_t PrecisionBudget::payload_bytes(size_t tensor) const {
  const Tensor& wanted = tensors_[tensor];
  uint64_t bytes = least_bytes(wanted);
  for (size_t bin = least_bin_; bin < kBins; ++bin) {
    bytes += wanted.bits[bin] * (wanted.stored_a_block / 8);
  }
  return bytes;
}

}  // namespace ambry::tensor
