// Steele and White's digit generation ("How to print floating-point numbers accurately", 1990) with
// exact integers. Tables of powers of ten would be faster but would add to every download.
#include "io/number/print_double.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "io/number/big_integer.h"

namespace ambry::io {
namespace {

constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;
constexpr int kExponentBias = 1075;  // when the mantissa is taken as an integer
constexpr double kLog10Of2 = 0.30102999566398119521;

// Values outside these powers of ten are written with an exponent.
constexpr int kMaxPlainPoint = 21;
constexpr int kMinPlainPoint = -6;

// 0.digits * 10^point, without leading or trailing zeros.
struct Digits {
  std::string digits;
  int point = 0;
};

// The fractions value / unit, above / unit and below / unit. `above` and `below` are the distances
// to the midpoints between the value and its neighbours.
struct Interval {
  BigInteger value;
  BigInteger above;
  BigInteger below;
  BigInteger unit;
  bool closed = false;  // whether the midpoints read as this value: ties round to even

  void multiply_by_power_of_ten(int exponent) {
    value.multiply_by_power_of_ten(exponent);
    above.multiply_by_power_of_ten(exponent);
    below.multiply_by_power_of_ten(exponent);
    unit.multiply_by_power_of_ten(-exponent);
  }

  [[nodiscard]] bool holds(const BigInteger& distance, const BigInteger& end) const {
    return distance.compare(end) < (closed ? 1 : 0);
  }
  [[nodiscard]] bool holds_zero() const { return holds(value, below); }
  [[nodiscard]] bool holds_one() const {
    if (value.compare(unit) >= 0) return true;
    BigInteger distance = unit;
    distance.subtract(value);
    return holds(distance, above);
  }
};

// Counts in quarters of the last place: below a power of two, the gap is half of the gap above.
Interval interval_around(uint64_t mantissa, int exponent, bool narrow_below) {
  const auto up = static_cast<uint64_t>(exponent > 0 ? exponent : 0);
  const auto down = static_cast<uint64_t>(exponent < 0 ? -exponent : 0);
  Interval interval{BigInteger(mantissa * 4), BigInteger(2), BigInteger(narrow_below ? 1 : 2),
                    BigInteger(4), mantissa % 2 == 0};
  interval.value.shift_left(up);
  interval.above.shift_left(up);
  interval.below.shift_left(up);
  interval.unit.shift_left(down);
  return interval;
}

Digits shortest_digits(uint64_t bits) {
  uint64_t mantissa = bits & ((uint64_t{1} << kMantissaBits) - 1);
  const auto biased = static_cast<int>(bits >> kMantissaBits & 0x7FF);
  const bool narrow_below = mantissa == 0 && biased > 1;
  if (biased != 0) mantissa |= uint64_t{1} << kMantissaBits;
  const int exponent = (biased == 0 ? 1 : biased) - kExponentBias;
  Interval interval = interval_around(mantissa, exponent, narrow_below);

  // An estimate of the power of ten: right, or one too small.
  const int log2 = exponent + static_cast<int>(std::bit_width(mantissa)) - 1;
  Digits result{{}, static_cast<int>(std::ceil(log2 * kLog10Of2 - 1e-10))};
  interval.multiply_by_power_of_ten(-result.point);
  if (interval.holds_one()) {
    ++result.point;
  } else {
    interval.multiply_by_power_of_ten(1);
  }
  for (;; interval.multiply_by_power_of_ten(1)) {
    char digit = '0';
    for (; interval.value.compare(interval.unit) >= 0; ++digit) {
      interval.value.subtract(interval.unit);
    }
    const bool low = interval.holds_zero();
    const bool high = interval.holds_one();
    // Both digits would do: take the nearer one, and the even one of a tie.
    if (low && high) interval.value.shift_left(1);
    const bool odd = digit % 2 == 1;
    if (high && (!low || interval.value.compare(interval.unit) > (odd ? -1 : 0))) ++digit;
    result.digits += digit;
    if (low || high) return result;
  }
}

std::string with_exponent(Digits number) {
  if (number.digits.size() > 1) number.digits.insert(1, 1, '.');
  return number.digits + 'e' + std::to_string(number.point - 1);
}

std::string without_exponent(Digits number) {
  auto& [digits, point] = number;
  if (point <= 0) {
    digits.insert(0, static_cast<size_t>(1 - point), '0');
    point = 1;
  }
  const auto n_whole = static_cast<size_t>(point);
  if (digits.size() <= n_whole) digits.append(n_whole + 1 - digits.size(), '0');
  return digits.insert(n_whole, 1, '.');
}

}  // namespace

std::string print_double(double value) {
  assert(std::isfinite(value));
  const auto bits = std::bit_cast<uint64_t>(value);
  if (value < 0) return '-' + print_double(-value);
  if (value == 0) return bits == 0 ? "0.0" : "-0.0";
  Digits number = shortest_digits(bits);
  const bool exponent = number.point > kMaxPlainPoint || number.point <= kMinPlainPoint;
  return exponent ? with_exponent(std::move(number)) : without_exponent(std::move(number));
}

}  // namespace ambry::io
