// ln x, within 2e-16 of the true value or a factor of 1 + 2e-16. The C library's may differ between
// builds in its last bits, and then equal seeds would not always give equal ids.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <numbers>

namespace ambry::infer {

// `x` must be a normal number above 0, or infinity.
[[nodiscard]] inline double natural_log(double x) {
  assert(x >= std::numeric_limits<double>::min());
  if (x == std::numeric_limits<double>::infinity()) return x;
  // x = 2^exponent * m with 0.75 <= m < 1.5. ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + …) with |s|
  // <= 0.2.
  const auto bits = std::bit_cast<uint64_t>(x);
  auto exponent = static_cast<int64_t>(bits >> 52) - 1023;
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  auto m = std::bit_cast<double>((bits & kFraction) | (uint64_t{1023} << 52));
  if (m >= 1.5) {
    m /= 2;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int n = 23; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
  return static_cast<double>(exponent) * std::numbers::ln2 + 2 * s * sum;
}

}  // namespace ambry::infer
