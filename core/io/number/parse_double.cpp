#include "io/number/parse_double.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "io/number/big_integer.h"

namespace ambry::io {
namespace {

// A decimal halfway between two doubles has at most 767 digits. Of any further digits it only
// matters whether they are all zero.
constexpr size_t kMaxDigits = 800;
// The binary format that a decimal is rounded to.
struct Precision {
  int digits;        // bits of the mantissa
  int min_exponent;  // of a normal value d * 2^e with 1 <= d < 2
};
constexpr Precision kDouble{std::numeric_limits<double>::digits,
                            std::numeric_limits<double>::min_exponent - 1};
constexpr Precision kFloat{std::numeric_limits<float>::digits,
                           std::numeric_limits<float>::min_exponent - 1};
// With a larger power of ten, every value is infinite or zero.
constexpr int64_t kLargestExponent = 400;
// Limits the exponent, so that adding the count of digits (billions in a long text) cannot
// overflow.
constexpr int64_t kExponentLimit = int64_t{1} << 40;

// digits * 10^exponent, without leading zeros.
struct LongDecimal {
  std::string digits;
  int64_t exponent = 0;
};

LongDecimal read_decimal(std::string_view text) {
  LongDecimal decimal;
  bool fraction = false;
  bool cut = false;  // whether nonzero digits were left out
  size_t i = text.starts_with('-') ? 1 : 0;
  for (; i < text.size() && (text[i] | 0x20) != 'e'; ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --decimal.exponent;
    if (text[i] == '0' && decimal.digits.empty()) continue;
    if (decimal.digits.size() < kMaxDigits) {
      decimal.digits += text[i];
    } else {
      ++decimal.exponent;
      cut = cut || text[i] != '0';
    }
  }
  if (cut) {
    decimal.digits += '1';
    --decimal.exponent;
  }
  const bool negative = i + 1 < text.size() && text[i + 1] == '-';
  int64_t exponent = 0;
  for (++i; i < text.size(); ++i) {
    if (text[i] == '-' || text[i] == '+') continue;
    exponent = std::min(exponent * 10 + (text[i] - '0'), kExponentLimit);
  }
  decimal.exponent += negative ? -exponent : exponent;
  return decimal;
}

// The value of this precision that is nearest to numerator / denominator, both at least 1.
double nearest_ratio(BigInteger numerator, BigInteger denominator, Precision precision) {
  // The ratio becomes 2^exponent * numerator / denominator, with 1 <= numerator / denominator < 2.
  int64_t exponent = numerator.bit_length() - denominator.bit_length();
  if (exponent > 0) denominator.shift_left(static_cast<uint64_t>(exponent));
  if (exponent < 0) numerator.shift_left(static_cast<uint64_t>(-exponent));
  if (numerator.compare(denominator) < 0) {
    numerator.shift_left(1);
    --exponent;
  }
  const int64_t n_bits = precision.digits - std::max<int64_t>(precision.min_exponent - exponent, 0);
  if (n_bits < 0) return 0;
  uint64_t mantissa = 0;
  for (int64_t i = 0; i < n_bits; ++i) {
    const bool bit = numerator.compare(denominator) >= 0;
    if (bit) numerator.subtract(denominator);
    numerator.shift_left(1);
    mantissa = mantissa << 1 | (bit ? 1 : 0);
  }
  // Compare the remainder with half a unit of the last place.
  const int rest = numerator.compare(denominator);
  if (rest > 0 || (rest == 0 && mantissa % 2 == 1)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent - n_bits + 1));
}

double parse_magnitude(const LongDecimal& decimal, Precision precision) {
  const auto n_digits = static_cast<int64_t>(decimal.digits.size());
  if (n_digits == 0 || n_digits + decimal.exponent < -kLargestExponent) return 0;
  if (n_digits + decimal.exponent > kLargestExponent) {
    return std::numeric_limits<double>::infinity();
  }
  BigInteger numerator;
  for (const char digit : decimal.digits) {
    numerator.multiply_add(10, static_cast<uint32_t>(digit - '0'));
  }
  BigInteger denominator(1);
  numerator.multiply_by_power_of_ten(decimal.exponent);
  denominator.multiply_by_power_of_ten(-decimal.exponent);
  return nearest_ratio(std::move(numerator), std::move(denominator), precision);
}

}  // namespace

double parse_double(std::string_view text) {
  const double magnitude = parse_magnitude(read_decimal(text), kDouble);
  return text.starts_with('-') ? -magnitude : magnitude;
}

float round_to_float(std::string_view text) {
  const double rounded = parse_magnitude(read_decimal(text), kFloat);
  // Rounding may give 2^128, which is too large for a float.
  const float magnitude = rounded > std::numeric_limits<float>::max()
                              ? std::numeric_limits<float>::infinity()
                              : static_cast<float>(rounded);
  return text.starts_with('-') ? -magnitude : magnitude;
}

}  // namespace ambry::io
