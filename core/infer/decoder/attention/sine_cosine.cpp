#include "infer/decoder/attention/sine_cosine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ambry::infer {
namespace {

// π/2 in parts. The first two have 27 bits, so that their products with whole numbers below 2^26
// are exact (Cody and Waite).
constexpr double kHigh = 0x1.921fb54p+0;
constexpr double kMiddle = 0x1.10b461p-30;
constexpr double kLow = 0x1.a62633145c06ep-58;

// Enough terms of Taylor's series up to π/4.
constexpr size_t kTerms = 9;

// 1 / first!, 1 / (first + 2)!, …
constexpr std::array<double, kTerms> inverse_factorials(size_t first) {
  std::array<double, kTerms> inverse{};
  double factorial = 1;
  for (size_t i = 1; i < first + 2 * kTerms; ++i) {
    factorial *= static_cast<double>(i);
    if (i >= first && (i - first) % 2 == 0) inverse[(i - first) / 2] = 1 / factorial;
  }
  return inverse;
}

constexpr auto kOfSine = inverse_factorials(1);
constexpr auto kOfCosine = inverse_factorials(2);  // without the first term, 1

}  // namespace

SineCosine sine_cosine(double angle) {
  const double quarters = std::nearbyint(angle * (2 / std::numbers::pi));
  const double rest = ((angle - quarters * kHigh) - quarters * kMiddle) - quarters * kLow;
  // Doubles above 2^50 are too far apart to have a place in the circle.
  const double x = std::clamp(rest, -1.0, 1.0);
  double sine = 0;
  double cosine = 0;
  for (size_t i = kTerms; i-- > 0;) {
    sine = kOfSine[i] - x * x * sine;
    cosine = kOfCosine[i] - x * x * cosine;
  }
  sine *= x;
  cosine = 1 - x * x * cosine;
  const double turned = quarters - 4 * std::floor(quarters / 4);
  const double sign = turned >= 2 ? -1 : 1;
  if (turned == 1 || turned == 3) return {sign * cosine, -sign * sine};
  return {sign * sine, sign * cosine};
}

}  // namespace ambry::infer
