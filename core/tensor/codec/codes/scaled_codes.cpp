#include "tensor/codec/codes/scaled_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/half.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {
namespace {

// The smallest and largest code that a writer makes, and by what the extreme element is divided.
struct CodeRange {
  int low;
  int high;
  bool signed_extreme;
};

// Codes of 8 bits leave out -128. Shorter ones use all their range: the extreme element gets the
// lowest code.
CodeRange range_of(DType code) {
  const uint32_t bits = code_bits(code);
  const int high = (1 << (bits - 1)) - 1;
  return bits == 8 ? CodeRange{-high, high, false} : CodeRange{-high - 1, high, true};
}

// Added to a small double it leaves no bits for a fraction, so that the FPU itself rounds half to
// even; the lowest bits of the sum are then the whole number in two's complement.
constexpr double kRounder = 0x1.8p52;

}  // namespace

float signed_extreme(std::span<const float> values) {
  // Magnitudes compare as whole numbers do, with infinity and NaN above all others.
  int32_t above = 0;  // of the numbers that are not negative
  int32_t below = 0;
  for (const float value : values) {
    const auto bits = std::bit_cast<int32_t>(value);
    above = std::max(above, bits);
    below = std::max(below, bits & INT32_MAX & (bits >> 31));
  }
  if (above > below) return std::bit_cast<float>(above);
  if (below > above) return -std::bit_cast<float>(below);
  const auto first = std::ranges::find_if(values, [above](float value) {
    return (std::bit_cast<int32_t>(value) & INT32_MAX) == above;
  });
  return above == 0 ? 0.0F : *first;
}

float ideal_scale(DType code, float extreme) {
  if (code == DType::F16) return 1;
  if (extreme == 0) return 0;
  const CodeRange range = range_of(code);
  if (!range.signed_extreme) extreme = std::abs(extreme);
  const int divisor = range.signed_extreme ? range.low : range.high;
  const float scale = extreme / static_cast<float>(divisor);
  // Below the smallest subnormal times the divisor the scale would vanish although the block is not
  // zero.
  return scale == 0 ? std::copysign(extreme, scale) : scale;
}

bool fits_half(float scale) {
  const uint16_t bits = f32_to_f16(scale) & 0x7FFFU;
  return scale == 0 || (bits != 0 && bits < 0x7C00U);
}

void quantize_codes(DType code, std::span<const float> values, float scale, int8_t* to) {
  if (scale == 0) {
    std::fill_n(to, values.size(), int8_t{0});
    return;
  }
  const CodeRange range = range_of(code);
  const double low = range.low;
  const double high = range.high;
  const auto divisor = static_cast<double>(scale);
  for (size_t i = 0; i < values.size(); ++i) {
    // Doubles, because the quotient of floats would round twice; divided, not multiplied by an
    // inverse, because ties must stay ties.
    double quotient = static_cast<double>(values[i]) / divisor;
    quotient = quotient < low ? low : quotient;
    quotient = quotient > high ? high : quotient;
    to[i] = static_cast<int8_t>(std::bit_cast<int64_t>(quotient + kRounder));
  }
}

}  // namespace ambry::tensor
