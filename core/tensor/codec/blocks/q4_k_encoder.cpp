// Q4_K: a scale and a minimum for each group of 32 numbers. Both are fitted to the group by
// weighted least squares from several starting points. Then the block's two halves are chosen, and
// each group takes the pair of integers that fits best beside them.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/blocks/block_encoders.h"

namespace ambry::tensor {
namespace {

constexpr size_t kQ4Groups = 8;
constexpr size_t kQ4Group = 32;
constexpr float kLargestCode = 15;
constexpr float kLargestScale = 63;

struct KScale {
  uint8_t scale = 0;    // 0 to 63
  uint8_t minimum = 0;  // 0 to 63
};

// A number is code * scale - minimum, and no minimum is negative.
struct Fit {
  float scale = 0;
  float minimum = 0;
};

// The numbers of a group, and how much an error of each counts.
struct Group {
  const float* values;
  std::array<float, kQ4Group> weights;

  // Large numbers count more: they do more in a product, and there are few of them.
  explicit Group(const float* from) : values(from), weights() {
    const float mean =
        std::sqrt(sum_of<kQ4Group>([&](size_t i) { return from[i] * from[i]; }) / float{kQ4Group});
    for (size_t i = 0; i < kQ4Group; ++i) weights[i] = mean + std::abs(from[i]);
  }

  template <class Term>
  [[nodiscard]] float weighted(const Term& term) const {
    return sum_of<kQ4Group>([&](size_t i) { return weights[i] * term(i); });
  }
};

using Q4Codes = std::array<float, kQ4Group>;

// The nearest codes; `inverse` is 1 / scale.
void choose_codes(const float* values, float inverse, float minimum, Q4Codes& codes) {
  for (size_t i = 0; i < kQ4Group; ++i) {
    const float code =
        std::clamp((values[i] + minimum) * inverse + 0.5F, 0.0F, kLargestCode + 0.5F);
    codes[i] =
        code > 0 ? std::trunc(code) : 0;  // NaN becomes 0, too: sums of large numbers overflow
  }
}

float error_of(const Group& group, const Q4Codes& codes, Fit fit) {
  return group.weighted([&](size_t i) {
    const float difference = codes[i] * fit.scale - fit.minimum - group.values[i];
    return difference * difference;
  });
}

// The scale and minimum that fit these codes best. Without a slope the scale is 0.
Fit least_squares(const Group& group, const Q4Codes& codes, float weight, float weighted_values) {
  const float c = group.weighted([&](size_t i) { return codes[i]; });
  const float cc = group.weighted([&](size_t i) { return codes[i] * codes[i]; });
  const float cx = group.weighted([&](size_t i) { return codes[i] * group.values[i]; });
  const float determinant = weight * cc - c * c;
  if (determinant <= 0) return {};
  const Fit fit{(weight * cx - c * weighted_values) / determinant,
                (c * cx - cc * weighted_values) / determinant};
  if (fit.minimum >= 0) return fit;
  return {cc > 0 ? cx / cc : 0, 0};
}

Fit fit_group(const Group& group) {
  const auto [least, most] = std::minmax_element(group.values, group.values + kQ4Group);
  const float minimum = std::max(0.0F, -*least);
  const float range = *most + minimum;
  if (range <= 0) return {0, minimum};  // all numbers are the same, and none is positive
  const float weight = group.weighted([](size_t) { return 1.0F; });
  const float weighted_values = group.weighted([&](size_t i) { return group.values[i]; });
  Fit best{range / kLargestCode, minimum};
  float least_error = std::numeric_limits<float>::infinity();
  Q4Codes codes;
  // Ranges of codes from 14 to 16: with fewer all numbers fit, with more the outer ones are cut.
  for (int step = -10; step <= 10; ++step) {
    const float inverse = (kLargestCode + 0.1F * static_cast<float>(step)) / range;
    choose_codes(group.values, inverse, minimum, codes);
    const Fit fit = least_squares(group, codes, weight, weighted_values);
    if (fit.scale <= 0) continue;
    const float error = error_of(group, codes, fit);
    if (error < least_error) {
      least_error = error;
      best = fit;
    }
  }
  return best;
}

// A half and the integers near `wanted / half`.
struct Step {
  uint16_t stored = 0;
  float value = 0;

  [[nodiscard]] static Step for_largest(float largest) {
    const uint16_t stored = f32_to_f16(largest / kLargestScale);
    return {stored, f16_to_f32(stored)};
  }
  [[nodiscard]] float nearest(float wanted) const {
    return value > 0 ? std::min(std::round(wanted / value), kLargestScale) : 0;
  }
};

// The codes of a group for the best pair of integers beside the block's halves.
KScale settle_group(const Group& group, Fit fit, Step scale, Step minimum, Q4Codes& best_codes) {
  const float near_scale = scale.nearest(fit.scale);
  const float near_minimum = minimum.nearest(fit.minimum);
  KScale best;
  float least_error = std::numeric_limits<float>::infinity();
  Q4Codes codes;
  for (const float to_scale : kNearby) {
    for (const float to_minimum : kNearby) {
      const float s = std::clamp(near_scale + to_scale, 0.0F, kLargestScale);
      const float m = std::clamp(near_minimum + to_minimum, 0.0F, kLargestScale);
      const Fit rounded{s * scale.value, m * minimum.value};
      const float inverse = rounded.scale > 0 ? 1 / rounded.scale : 0;
      choose_codes(group.values, inverse, rounded.minimum, codes);
      const float error = error_of(group, codes, rounded);
      if (error < least_error) {
        least_error = error;
        best = {static_cast<uint8_t>(s), static_cast<uint8_t>(m)};
        best_codes = codes;
      }
    }
  }
  return best;
}

void put_codes(const Q4Codes& codes, size_t group, uint8_t* packed) {
  uint8_t* to = packed + group / 2 * kQ4Group;
  for (size_t i = 0; i < kQ4Group; ++i) {
    to[i] = static_cast<uint8_t>(to[i] | static_cast<uint32_t>(codes[i]) << (group % 2 * 4));
  }
}

// Packs the scale and minimum of group i of Q4_K and Q5_K. The bits of group i in `packed` must be
// 0.
void pack_k_scale(KScale group, size_t i, uint8_t* packed) {
  assert(i < 8 && group.scale < 64 && group.minimum < 64);
  const auto put = [&](size_t at, uint32_t bits) {
    packed[at] = static_cast<uint8_t>(packed[at] | bits);
  };
  if (i < 4) {
    put(i, group.scale);
    put(i + 4, group.minimum);
    return;
  }
  const uint32_t scale = group.scale;
  const uint32_t minimum = group.minimum;
  put(i + 4, (scale & 15U) | (minimum & 15U) << 4U);
  put(i - 4, (scale & 48U) << 2U);
  put(i, (minimum & 48U) << 2U);
}

}  // namespace

bool encode_q4_k(const float* values, uint8_t* block) {
  std::array<Fit, kQ4Groups> fits;
  float largest_scale = 0;
  float largest_minimum = 0;
  for (size_t g = 0; g < kQ4Groups; ++g) {
    fits[g] = fit_group(Group(values + g * kQ4Group));
    largest_scale = std::max(largest_scale, fits[g].scale);
    largest_minimum = std::max(largest_minimum, fits[g].minimum);
  }
  const Step scale = Step::for_largest(largest_scale);
  const Step minimum = Step::for_largest(largest_minimum);
  if (!std::isfinite(scale.value) || !std::isfinite(minimum.value)) return false;
  std::fill_n(block, 4 + 12 + kQ4Groups * kQ4Group / 2, uint8_t{0});
  store_le(block, scale.stored);
  store_le(block + 2, minimum.stored);
  Q4Codes codes{};
  for (size_t g = 0; g < kQ4Groups; ++g) {
    const Group group(values + g * kQ4Group);
    pack_k_scale(settle_group(group, fits[g], scale, minimum, codes), g, block + 4);
    put_codes(codes, g, block + 16);
  }
  return true;
}

}  // namespace ambry::tensor
