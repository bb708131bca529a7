#include "io/number/print_float.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/concat.h"
#include "io/number/parse_float.h"

namespace ambry::io {
namespace {

struct ShortDecimal {
  uint64_t digits = 0;
  int exponent = 0;  // power of ten
};

// value * 10^exponent. The error is a few units in a double's last place, a thousand times less
// than the distance between two floats.
double scaled(double value, int exponent) {
  constexpr int kStep = 16;
  constexpr double kPower = 1e16;
  for (; exponent >= kStep; exponent -= kStep) value *= kPower;
  for (; exponent <= -kStep; exponent += kStep) value /= kPower;
  double rest = 1;
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) rest *= 10;
  return exponent < 0 ? value / rest : value * rest;
}

// Tries one digit, two digits, and so on. With a given count of digits, only the decimals next
// above and next below can match.
ShortDecimal shortest_decimal(float value) {
  // At most half the distance to the next float, relative to the value.
  constexpr double kHalfStep = 0x1.001p-24;
  constexpr double kLog10Of2 = 0.30102999566398119521;
  constexpr int kMaxDigits = std::numeric_limits<float>::max_digits10;
  constexpr double kAllDigits = 1e9;
  const bool normal = value >= std::numeric_limits<float>::min();
  // The exponent of the first digit: right, or one too small.
  int exponent = static_cast<int>(std::floor(std::ilogb(value) * kLog10Of2));
  double all = scaled(value, kMaxDigits - 1 - exponent);
  if (all >= kAllDigits) {
    all /= 10;
    ++exponent;
  }
  double step = kAllDigits / 10;
  for (int n = 1; n <= kMaxDigits; ++n, --exponent, step /= 10) {
    const double exact = all / step;
    const double below = std::floor(exact);
    const double rest = exact - below;
    if (normal && std::fmin(rest, 1 - rest) > exact * kHalfStep) continue;
    const auto digits = static_cast<uint64_t>(below);
    for (const bool up : {rest >= 0.5, rest < 0.5}) {
      const ShortDecimal candidate{digits + (up ? 1 : 0), exponent};
      if (nearest_float(candidate.digits, candidate.exponent) == value) return candidate;
    }
  }
  assert(false);
  return {};
}

}  // namespace

void append_float(std::string& out, float value) {
  assert(std::isfinite(value));
  if (std::signbit(value)) out += '-';
  const float magnitude = std::fabs(value);
  if (magnitude == 0) {
    out += '0';
    return;
  }
  ShortDecimal number = shortest_decimal(magnitude);
  for (; number.digits % 10 == 0; number.digits /= 10) ++number.exponent;
  const std::string digits = concat({number.digits});
  if (number.exponent >= 0) {
    out += digits;
    out.append(static_cast<size_t>(number.exponent), '0');
    return;
  }
  const auto places = static_cast<size_t>(-number.exponent);
  if (digits.size() > places) {
    out += std::string_view(digits).substr(0, digits.size() - places);
  } else {
    out += '0';
  }
  out += '.';
  if (places > digits.size()) out.append(places - digits.size(), '0');
  out += std::string_view(digits).substr(digits.size() > places ? digits.size() - places : 0);
}

}  // namespace ambry::io
