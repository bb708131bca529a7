// Q3_K and Q6_K: a scale for each group of 16 numbers, fitted by weighted least squares from
// several starting points. Then the block's half is chosen, and each group takes the integer that
// fits best beside it. With these integers the half is fitted anew, as long as that makes the error
// smaller.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/blocks/block_encoders.h"
#include "tensor/codec/blocks/block_packers.h"
#include "tensor/codec/codes/scaled_codes.h"

namespace ambry::tensor {
namespace {

constexpr size_t kSignedGroups = 16;
constexpr size_t kSignedGroup = 16;

// Both ranges are one longer below zero.
struct SignedType {
  DType dtype;
  float codes;   // -codes to codes - 1
  float scales;  // -scales to scales - 1
};

class SignedEncoder {
 public:
  SignedEncoder(const SignedType& type, const float* values, const float* importance)
      : type_(type), values_(values), weights_(block_weights(values, kSuperBlock, importance)) {
    if (importance == nullptr) weigh_by_squares();
  }

  bool encode(uint8_t* block);

 private:
  using Codes = std::array<float, kSignedGroup>;

  struct Choice {
    float error = 0;
    std::array<float, kSignedGroups> scales{};
    std::array<float, kSuperBlock> codes{};
  };

  void weigh_by_squares();
  template <class Term>
  [[nodiscard]] float weighted(size_t g, const Term& term) const {
    const float* weights = weights_.data() + g * kSignedGroup;
    return sum_of<kSignedGroup>([&](size_t i) { return weights[i] * term(i); });
  }
  void choose_codes(size_t g, float inverse, float* codes) const;
  [[nodiscard]] float fit_group(size_t g) const;
  void settle_group(size_t g, float step, Choice& choice) const;
  [[nodiscard]] Choice settle(float step) const;
  [[nodiscard]] float half_for(const Choice& choice, float step) const;

  SignedType type_;
  const float* values_;
  std::array<float, kSuperBlock> weights_;
  std::array<float, kSignedGroups> fits_{};
};

template <class Value>
float clamped(Value value, float range) {
  return std::clamp(value, -range, range - 1);
}

// Where codes have many bits, an error counts by the square of its number, as a relative one does.
void SignedEncoder::weigh_by_squares() {
  if (type_.dtype != DType::Q6_K) return;
  for (size_t i = 0; i < kSuperBlock; ++i) weights_[i] = values_[i] * values_[i];
}

void SignedEncoder::choose_codes(size_t g, float inverse, float* codes) const {
  const float* values = values_ + g * kSignedGroup;
  for (size_t i = 0; i < kSignedGroup; ++i) {
    codes[i] = std::nearbyint(clamped(values[i] * inverse, type_.codes));
  }
}

// The number of the largest magnitude becomes the lowest code, of which there is one more than of
// positive ones; so the scale has the other sign.
float SignedEncoder::fit_group(size_t g) const {
  const float* values = values_ + g * kSignedGroup;
  const float outermost = signed_extreme({values, kSignedGroup});
  if (outermost == 0) return 0;
  float best = outermost / -type_.codes;
  float most_explained = 0;
  Codes codes;
  const auto try_codes = [&] {
    const float cx = weighted(g, [&](size_t i) { return codes[i] * values[i]; });
    const float cc = weighted(g, [&](size_t i) { return codes[i] * codes[i]; });
    // The error is the weighted square of the numbers less cx² / cc.
    if (!(cc > 0) || !(cx * (cx / cc) > most_explained)) return false;
    most_explained = cx * (cx / cc);
    best = cx / cc;
    return true;
  };
  // With few codes the one that a range has more below zero matters, so both signs are tried.
  const std::array<float, 2> signs = {-1, 1};
  for (const float sign : std::span(signs).first(type_.codes > 8 ? 1 : 2)) {
    for (int step = -9; step <= 9; ++step) {
      choose_codes(g, sign * (type_.codes - 0.1F * static_cast<float>(step)) / outermost,
                   codes.data());
      try_codes();
    }
  }
  for (int again = 0; again < kRefits; ++again) {
    choose_codes(g, 1 / best, codes.data());
    if (!try_codes()) break;
  }
  return best;
}

void SignedEncoder::settle_group(size_t g, float step, Choice& choice) const {
  const float* values = values_ + g * kSignedGroup;
  const float near = step == 0 ? 0 : clamped(std::round(fits_[g] / step), type_.scales);
  float least_error = std::numeric_limits<float>::infinity();
  Codes codes;
  for (const float to_factor : kNearby) {
    const float factor = clamped(near + to_factor, type_.scales);
    const float scale = factor * step;
    choose_codes(g, scale == 0 ? 0 : 1 / scale, codes.data());
    const float error = weighted(g, [&](size_t i) {
      const float difference = codes[i] * scale - values[i];
      return difference * difference;
    });
    if (error < least_error) {
      least_error = error;
      choice.scales[g] = factor;
      std::ranges::copy(codes,
                        choice.codes.begin() + static_cast<std::ptrdiff_t>(g * kSignedGroup));
    }
  }
  choice.error += least_error;
}

auto SignedEncoder::settle(float step) const -> Choice {
  Choice choice;
  for (size_t g = 0; g < kSignedGroups; ++g) settle_group(g, step, choice);
  return choice;
}

// The half that fits the integers best; `step` where there is none.
float SignedEncoder::half_for(const Choice& choice, float step) const {
  float cx = 0;
  float cc = 0;
  for (size_t g = 0; g < kSignedGroups; ++g) {
    const float* codes = choice.codes.data() + g * kSignedGroup;
    const float* values = values_ + g * kSignedGroup;
    const float s = choice.scales[g];
    cx += s * weighted(g, [&](size_t i) { return codes[i] * values[i]; });
    cc += s * s * weighted(g, [&](size_t i) { return codes[i] * codes[i]; });
  }
  return cc > 0 ? cx / cc : step;
}

bool SignedEncoder::encode(uint8_t* block) {
  for (size_t g = 0; g < kSignedGroups; ++g) fits_[g] = fit_group(g);
  uint16_t stored = f32_to_f16(signed_extreme(fits_) / -type_.scales);
  if (!std::isfinite(f16_to_f32(stored))) return false;
  Choice best = settle(f16_to_f32(stored));
  for (int again = 0; again < kRefits; ++again) {
    const uint16_t other = f32_to_f16(half_for(best, f16_to_f32(stored)));
    if (other == stored || !std::isfinite(f16_to_f32(other))) break;
    const Choice choice = settle(f16_to_f32(other));
    if (!(choice.error < best.error)) break;
    stored = other;
    best = choice;
  }
  KQuantBlock taken;
  taken.d = stored;
  for (size_t g = 0; g < kSignedGroups; ++g) {
    taken.scales[g] = static_cast<int8_t>(best.scales[g]);
  }
  std::ranges::transform(best.codes, taken.codes.begin(),
                         [&](float code) { return static_cast<uint8_t>(code + type_.codes); });
  write_k_quant_block(type_.dtype, taken, block);
  return true;
}

}  // namespace

bool encode_q3_k(const float* values, const float* importance, uint8_t* block) {
  return SignedEncoder({DType::Q3_K, 4, 32}, values, importance).encode(block);
}

bool encode_q6_k(const float* values, const float* importance, uint8_t* block) {
  return SignedEncoder({DType::Q6_K, 32, 128}, values, importance).encode(block);
}

}  // namespace ambry::tensor
