// Q2_K, Q4_K and Q5_K: a scale and a minimum for each group of 16 or 32 numbers. Both are fitted to
// the group by weighted least squares from several starting points. Then the block's two halves are
// chosen, and each group takes the pair of integers that fits best beside them. With these integers
// the halves are fitted anew, as long as that makes the error smaller.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/blocks/block_encoders.h"
#include "tensor/codec/blocks/block_packers.h"

namespace ambry::tensor {
namespace {

struct MinimaType {
  DType dtype;
  float largest_code;
  float largest_scale;  // and minimum
};

// A number is code * scale - minimum, and no minimum is negative.
struct Fit {
  float scale = 0;
  float minimum = 0;
};

// The two halves of a block, as they are stored and as numbers.
struct Halves {
  uint16_t stored_scale = 0;
  uint16_t stored_minimum = 0;
  Fit step;

  explicit Halves(Fit wanted)
      : stored_scale(f32_to_f16(wanted.scale)),
        stored_minimum(f32_to_f16(wanted.minimum)),
        step{f16_to_f32(stored_scale), f16_to_f32(stored_minimum)} {}
  [[nodiscard]] bool is_finite() const {
    return std::isfinite(step.scale) && std::isfinite(step.minimum);
  }
  [[nodiscard]] bool same(const Halves& other) const {
    return stored_scale == other.stored_scale && stored_minimum == other.stored_minimum;
  }
};

float nearest(float wanted, float step, float largest) {
  return step > 0 ? std::min(std::round(wanted / step), largest) : 0;
}

template <size_t kGroup>
class MinimaEncoder {
 public:
  MinimaEncoder(const MinimaType& type, const float* values, const float* importance)
      : type_(type), values_(values), weights_(block_weights(values, kGroup, importance)) {}

  bool encode(uint8_t* block);

 private:
  static constexpr size_t kGroups = kSuperBlock / kGroup;
  using Codes = std::array<float, kGroup>;

  struct Choice {
    float error = 0;
    std::array<float, kGroups> scales{};
    std::array<float, kGroups> minima{};
    std::array<float, kSuperBlock> codes{};
  };

  template <class Term>
  [[nodiscard]] float weighted(size_t g, const Term& term) const {
    const float* weights = weights_.data() + g * kGroup;
    return sum_of<kGroup>([&](size_t i) { return weights[i] * term(i); });
  }
  void choose_codes(size_t g, float inverse, float minimum, float* codes) const;
  [[nodiscard]] float error_of(size_t g, const float* codes, Fit fit) const;
  [[nodiscard]] Fit least_squares(size_t g, const Codes& codes, float weight,
                                  float weighted_values) const;
  [[nodiscard]] Fit fit_group(size_t g) const;
  void settle_group(size_t g, Fit step, Choice& choice) const;
  [[nodiscard]] Choice settle(Fit step) const;
  [[nodiscard]] Fit halves_for(const Choice& choice, Fit step) const;

  MinimaType type_;
  const float* values_;
  std::array<float, kSuperBlock> weights_;
  std::array<Fit, kGroups> fits_{};
};

// The nearest codes; `inverse` is 1 / scale.
template <size_t kGroup>
void MinimaEncoder<kGroup>::choose_codes(size_t g, float inverse, float minimum,
                                         float* codes) const {
  const float* values = values_ + g * kGroup;
  for (size_t i = 0; i < kGroup; ++i) {
    const float code =
        std::clamp((values[i] + minimum) * inverse + 0.5F, 0.0F, type_.largest_code + 0.5F);
    codes[i] =
        code > 0 ? std::trunc(code) : 0;  // NaN becomes 0, too: sums of large numbers overflow
  }
}

template <size_t kGroup>
float MinimaEncoder<kGroup>::error_of(size_t g, const float* codes, Fit fit) const {
  const float* values = values_ + g * kGroup;
  return weighted(g, [&](size_t i) {
    const float difference = codes[i] * fit.scale - fit.minimum - values[i];
    return difference * difference;
  });
}

// The scale and minimum that fit these codes best. Without a slope the scale is 0.
template <size_t kGroup>
Fit MinimaEncoder<kGroup>::least_squares(size_t g, const Codes& codes, float weight,
                                         float weighted_values) const {
  const float* values = values_ + g * kGroup;
  const float c = weighted(g, [&](size_t i) { return codes[i]; });
  const float cc = weighted(g, [&](size_t i) { return codes[i] * codes[i]; });
  const float cx = weighted(g, [&](size_t i) { return codes[i] * values[i]; });
  const float determinant = weight * cc - c * c;
  if (determinant <= 0) return {};
  const Fit fit{(weight * cx - c * weighted_values) / determinant,
                (c * cx - cc * weighted_values) / determinant};
  if (fit.minimum >= 0) return fit;
  return {cc > 0 ? cx / cc : 0, 0};
}

template <size_t kGroup>
Fit MinimaEncoder<kGroup>::fit_group(size_t g) const {
  const float* values = values_ + g * kGroup;
  const auto [least, most] = std::minmax_element(values, values + kGroup);
  const float minimum = std::max(0.0F, -*least);
  const float range = *most + minimum;
  if (range <= 0) return {0, minimum};  // all numbers are the same, and none is positive
  const float weight = weighted(g, [](size_t) { return 1.0F; });
  const float weighted_values = weighted(g, [&](size_t i) { return values[i]; });
  Fit best{range / type_.largest_code, minimum};
  float least_error = std::numeric_limits<float>::infinity();
  Codes codes;
  const auto try_codes = [&] {
    const Fit fit = least_squares(g, codes, weight, weighted_values);
    if (fit.scale <= 0) return false;
    const float error = error_of(g, codes.data(), fit);
    if (!(error < least_error)) return false;
    least_error = error;
    best = fit;
    return true;
  };
  // One code less and one more than there are: with fewer all numbers fit, with more the outer ones
  // are cut.
  for (int step = -10; step <= 10; ++step) {
    const float inverse = (type_.largest_code + 0.1F * static_cast<float>(step)) / range;
    choose_codes(g, inverse, minimum, codes.data());
    try_codes();
  }
  for (int again = 0; again < kRefits; ++again) {
    choose_codes(g, 1 / best.scale, best.minimum, codes.data());
    if (!try_codes()) break;
  }
  return best;
}

// The codes of a group for the best pair of integers beside the block's halves.
template <size_t kGroup>
void MinimaEncoder<kGroup>::settle_group(size_t g, Fit step, Choice& choice) const {
  const float near_scale = nearest(fits_[g].scale, step.scale, type_.largest_scale);
  const float near_minimum = nearest(fits_[g].minimum, step.minimum, type_.largest_scale);
  float least_error = std::numeric_limits<float>::infinity();
  Codes codes;
  for (const float to_scale : kNearby) {
    for (const float to_minimum : kNearby) {
      const float s = std::clamp(near_scale + to_scale, 0.0F, type_.largest_scale);
      const float m = std::clamp(near_minimum + to_minimum, 0.0F, type_.largest_scale);
      const Fit rounded{s * step.scale, m * step.minimum};
      choose_codes(g, rounded.scale > 0 ? 1 / rounded.scale : 0, rounded.minimum, codes.data());
      const float error = error_of(g, codes.data(), rounded);
      if (error < least_error) {
        least_error = error;
        choice.scales[g] = s;
        choice.minima[g] = m;
        std::ranges::copy(codes, choice.codes.begin() + static_cast<std::ptrdiff_t>(g * kGroup));
      }
    }
  }
  choice.error += least_error;
}

template <size_t kGroup>
auto MinimaEncoder<kGroup>::settle(Fit step) const -> Choice {
  Choice choice;
  for (size_t g = 0; g < kGroups; ++g) settle_group(g, step, choice);
  return choice;
}

// The halves that fit the integers best, by least squares over the block; `step` where that has no
// answer that is positive.
template <size_t kGroup>
Fit MinimaEncoder<kGroup>::halves_for(const Choice& choice, Fit step) const {
  float aa = 0;
  float ab = 0;
  float bb = 0;
  float ax = 0;
  float bx = 0;
  for (size_t g = 0; g < kGroups; ++g) {
    const float* codes = choice.codes.data() + g * kGroup;
    const float* values = values_ + g * kGroup;
    const float s = choice.scales[g];
    const float m = choice.minima[g];
    aa += s * s * weighted(g, [&](size_t i) { return codes[i] * codes[i]; });
    ab += s * m * weighted(g, [&](size_t i) { return codes[i]; });
    bb += m * m * weighted(g, [](size_t) { return 1.0F; });
    ax += s * weighted(g, [&](size_t i) { return codes[i] * values[i]; });
    bx += m * weighted(g, [&](size_t i) { return values[i]; });
  }
  const float determinant = aa * bb - ab * ab;
  Fit fit{aa > 0 ? ax / aa : 0, 0};
  if (determinant > 0) {
    fit = {(ax * bb - ab * bx) / determinant, (ab * ax - aa * bx) / determinant};
  }
  const bool usable = fit.scale > 0 && (fit.minimum > 0 || bb == 0);
  return usable ? fit : step;
}

template <size_t kGroup>
bool MinimaEncoder<kGroup>::encode(uint8_t* block) {
  Fit largest;
  for (size_t g = 0; g < kGroups; ++g) {
    fits_[g] = fit_group(g);
    largest.scale = std::max(largest.scale, fits_[g].scale);
    largest.minimum = std::max(largest.minimum, fits_[g].minimum);
  }
  Halves halves({largest.scale / type_.largest_scale, largest.minimum / type_.largest_scale});
  if (!halves.is_finite()) return false;
  Choice best = settle(halves.step);
  for (int again = 0; again < kRefits; ++again) {
    const Halves other(halves_for(best, halves.step));
    if (!other.is_finite() || other.same(halves)) break;
    const Choice choice = settle(other.step);
    if (!(choice.error < best.error)) break;
    halves = other;
    best = choice;
  }
  KQuantBlock taken;
  taken.d = halves.stored_scale;
  taken.dmin = halves.stored_minimum;
  for (size_t g = 0; g < kGroups; ++g) {
    taken.scales[g] = static_cast<int8_t>(best.scales[g]);
    taken.minima[g] = static_cast<uint8_t>(best.minima[g]);
  }
  std::ranges::transform(best.codes, taken.codes.begin(),
                         [](float code) { return static_cast<uint8_t>(code); });
  write_k_quant_block(type_.dtype, taken, block);
  return true;
}

}  // namespace

bool encode_q2_k(const float* values, const float* importance, uint8_t* block) {
  return MinimaEncoder<16>({DType::Q2_K, 3, 15}, values, importance).encode(block);
}

bool encode_q4_k(const float* values, const float* importance, uint8_t* block) {
  return MinimaEncoder<32>({DType::Q4_K, 15, 63}, values, importance).encode(block);
}

bool encode_q5_k(const float* values, const float* importance, uint8_t* block) {
  return MinimaEncoder<32>({DType::Q5_K, 31, 63}, values, importance).encode(block);
}

}  // namespace ambry::tensor
