// Q6_K: a scale for each group of 16 numbers, fitted by weighted least squares from several
// starting points. Then the block's half is chosen, and each group takes the integer that fits best
// beside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/blocks/block_encoders.h"
#include "tensor/codec/codes/scaled_codes.h"

namespace ambry::tensor {
namespace {

constexpr size_t kQ6Groups = 16;
constexpr size_t kQ6Group = 16;
constexpr float kLeastCode = -32;
constexpr float kMostCode = 31;

using Q6Codes = std::array<float, kQ6Group>;

void choose_codes(const float* values, float inverse, Q6Codes& codes) {
  for (size_t i = 0; i < kQ6Group; ++i) {
    codes[i] = std::nearbyint(std::clamp(values[i] * inverse, kLeastCode, kMostCode));
  }
}

// An error counts by the square of its number, as a relative one does.
using Weights = std::array<float, kQ6Group>;

Weights weights_of(const float* values) {
  Weights weights;
  for (size_t i = 0; i < kQ6Group; ++i) weights[i] = values[i] * values[i];
  return weights;
}

float error_of(const float* values, const Weights& weights, const Q6Codes& codes, float scale) {
  return sum_of<kQ6Group>([&](size_t i) {
    const float difference = codes[i] * scale - values[i];
    return weights[i] * difference * difference;
  });
}

// The number of the largest magnitude becomes the lowest code, of which there is one more than of
// positive ones; so the scale has the other sign.
float fit_group(const float* values) {
  const float outermost = signed_extreme({values, kQ6Group});
  if (outermost == 0) return 0;
  float best = outermost / kLeastCode;
  float most_explained = 0;
  const Weights weights = weights_of(values);
  Q6Codes codes;
  for (int step = -9; step <= 9; ++step) {
    choose_codes(values, (kLeastCode + 0.1F * static_cast<float>(step)) / outermost, codes);
    const float cx = sum_of<kQ6Group>([&](size_t i) { return weights[i] * codes[i] * values[i]; });
    const float cc = sum_of<kQ6Group>([&](size_t i) { return weights[i] * codes[i] * codes[i]; });
    // The error is the weighted square of the numbers less cx² / cc.
    if (cc > 0 && cx * (cx / cc) > most_explained) {
      most_explained = cx * (cx / cc);
      best = cx / cc;
    }
  }
  return best;
}

int8_t settle_group(const float* values, float wanted, float step, Q6Codes& best_codes) {
  const float near = step == 0 ? 0 : std::clamp(std::round(wanted / step), -128.0F, 127.0F);
  float best = 0;
  float least_error = std::numeric_limits<float>::infinity();
  const Weights weights = weights_of(values);
  Q6Codes codes;
  for (const float to_factor : kNearby) {
    const float factor = std::clamp(near + to_factor, -128.0F, 127.0F);
    const float scale = factor * step;
    choose_codes(values, scale == 0 ? 0 : 1 / scale, codes);
    const float error = error_of(values, weights, codes, scale);
    if (error < least_error) {
      least_error = error;
      best = factor;
      best_codes = codes;
    }
  }
  return static_cast<int8_t>(best);
}

// Four bits of code i are in the first 128 bytes, two in the next 64.
void put_code(uint32_t code, size_t i, uint8_t* block) {
  const size_t run = i / 128;
  const size_t within = i % 128;
  uint8_t& low = block[run * 64 + within % 64];
  uint8_t& high = block[128 + run * 32 + within % 32];
  low = static_cast<uint8_t>(low | (code & 15U) << (within / 64 * 4));
  high = static_cast<uint8_t>(high | (code >> 4U) << (within / 32 * 2));
}

}  // namespace

bool encode_q6_k(const float* values, uint8_t* block) {
  std::array<float, kQ6Groups> scales;
  for (size_t g = 0; g < kQ6Groups; ++g) scales[g] = fit_group(values + g * kQ6Group);
  const uint16_t stored = f32_to_f16(signed_extreme(scales) / -128);
  const float step = f16_to_f32(stored);
  if (!std::isfinite(step)) return false;
  std::fill_n(block, 192, uint8_t{0});
  store_le(block + 208, stored);
  Q6Codes codes{};
  for (size_t g = 0; g < kQ6Groups; ++g) {
    const int8_t factor = settle_group(values + g * kQ6Group, scales[g], step, codes);
    block[192 + g] = static_cast<uint8_t>(factor);
    for (size_t i = 0; i < kQ6Group; ++i) {
      put_code(static_cast<uint32_t>(codes[i] - kLeastCode), g * kQ6Group + i, block);
    }
  }
  return true;
}

}  // namespace ambry::tensor
