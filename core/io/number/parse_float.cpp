#include "io/number/parse_float.h"

#include <array>
#include <bit>
#include <string>

#include "base/concat.h"
#include "io/ascii.h"
#include "io/number/parse_double.h"

namespace ambry::io {
namespace {

// The powers of ten that a double holds exactly.
constexpr std::array<double, 23> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMaxPower = static_cast<int>(kPowersOfTen.size()) - 1;
constexpr uint64_t kMaxExactDigits = uint64_t{1} << 53;
// With exponents past this, every value is infinite or zero.
constexpr int kMaxExponent = 100'000;

// The bits of a double that a float drops, and their value halfway between two floats.
constexpr uint64_t kDropped = (uint64_t{1} << 29) - 1;
constexpr uint64_t kHalfway = uint64_t{1} << 28;

// One operation on exact operands rounds once. The double therefore lies on the same side of the
// midpoint between two floats as the exact value, unless it is that midpoint.
std::optional<float> nearest_by_double(uint64_t digits, int exponent) {
  if (digits > kMaxExactDigits || exponent > kMaxPower || exponent < -kMaxPower)
    return std::nullopt;
  auto value = static_cast<double>(digits);
  if (exponent < 0) {
    value /= kPowersOfTen[static_cast<size_t>(-exponent)];
  } else {
    value *= kPowersOfTen[static_cast<size_t>(exponent)];
  }
  if ((std::bit_cast<uint64_t>(value) & kDropped) == kHalfway) return std::nullopt;
  return static_cast<float>(value);
}

struct ExactDecimal {
  uint64_t digits = 0;
  int exponent = 0;
  bool exact = true;  // whether `digits` has all digits
};

// Reads the digits before and after the point and moves `at` behind them. False without digits.
bool scan_digits(std::string_view text, size_t& at, ExactDecimal& decimal) {
  constexpr uint64_t kRoom = UINT64_MAX / 10 - 1;
  bool point = false;
  bool any = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    any = true;
    if (decimal.digits > kRoom) {
      decimal.exact = false;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<uint64_t>(text[at] - '0');
    if (point && decimal.exponent > -kMaxExponent) --decimal.exponent;
  }
  return any;
}

// Reads an exponent, which must take up the rest of the text.
bool scan_exponent(std::string_view text, size_t at, ExactDecimal& decimal) {
  if (at == text.size()) return true;
  if ((text[at] | 0x20) != 'e') return false;
  ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size()) return false;
  int exponent = 0;
  for (; at < text.size(); ++at) {
    if (!is_digit(text[at])) return false;
    if (exponent < kMaxExponent) exponent = exponent * 10 + (text[at] - '0');
  }
  decimal.exponent += negative ? -exponent : exponent;
  return true;
}

}  // namespace

float nearest_float(uint64_t digits, int exponent) {
  if (const auto fast = nearest_by_double(digits, exponent)) return *fast;
  const auto size = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent);
  return round_to_float(concat({digits, exponent < 0 ? "e-" : "e", size}));
}

std::optional<float> parse_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(negative || text.starts_with('+') ? 1 : 0);
  ExactDecimal decimal;
  size_t at = 0;
  if (!scan_digits(magnitude, at, decimal) || !scan_exponent(magnitude, at, decimal)) {
    return std::nullopt;
  }
  std::optional<float> value;
  if (decimal.exact) value = nearest_by_double(decimal.digits, decimal.exponent);
  if (!value) value = round_to_float(magnitude);
  return negative ? -*value : *value;
}

}  // namespace ambry::io
