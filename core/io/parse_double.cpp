#include "io/parse_double.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ambry::io {
namespace {

// Halfway between two doubles lie numbers of up to 767 digits; what follows more digits than that
// only matters by being zero or not.
constexpr size_t kMaxDigits = 800;
// Powers of ten past which every number is infinite or zero.
constexpr int64_t kLargestExponent = 400;
// Keeps the exponent's sum with the number of digits, which a text may have billions of, right.
constexpr int64_t kMaxExponent = int64_t{1} << 40;

// A natural number in base 2^32, the least significant digit first and no zero on top.
class BigNumber {
 public:
  // this = this * factor + addend.
  void multiply_add(uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }

  void multiply_by_power_of_ten(int64_t exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }

  void shift_left(uint64_t bits) {
    if (bits % 32 != 0) multiply_add(uint32_t{1} << (bits % 32), 0);
    limbs_.insert(limbs_.begin(), static_cast<size_t>(bits / 32), 0);
  }

  [[nodiscard]] int64_t bit_length() const {
    return static_cast<int64_t>(limbs_.size() * 32) - std::countl_zero(limbs_.back());
  }

  // Negative, zero or positive as this is less than, equal to or greater than `other`.
  [[nodiscard]] int compare(const BigNumber& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

  // `other` must not be greater than this.
  void subtract(const BigNumber& other) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); ++i) {
      const uint64_t taken = (i < other.limbs_.size() ? other.limbs_[i] : 0) + borrow;
      borrow = limbs_[i] < taken ? 1 : 0;
      limbs_[i] = static_cast<uint32_t>(limbs_[i] - taken);
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

 private:
  std::vector<uint32_t> limbs_;
};

// digits * 10^exponent; no zero comes first.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

Decimal read_decimal(std::string_view number) {
  Decimal decimal;
  bool fraction = false;
  bool cut = false;  // digits that are not zero have been left out
  size_t i = number.starts_with('-') ? 1 : 0;
  for (; i < number.size() && (number[i] | 0x20) != 'e'; ++i) {
    if (number[i] == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --decimal.exponent;
    if (number[i] == '0' && decimal.digits.empty()) continue;
    if (decimal.digits.size() < kMaxDigits) {
      decimal.digits += number[i];
    } else {
      ++decimal.exponent;
      cut = cut || number[i] != '0';
    }
  }
  if (cut) {
    decimal.digits += '1';
    --decimal.exponent;
  }
  const bool negative = i + 1 < number.size() && number[i + 1] == '-';
  int64_t exponent = 0;
  for (++i; i < number.size(); ++i) {
    if (number[i] == '-' || number[i] == '+') continue;
    exponent = std::min(exponent * 10 + (number[i] - '0'), kMaxExponent);
  }
  decimal.exponent += negative ? -exponent : exponent;
  return decimal;
}

// The double nearest to numerator / denominator, both at least 1.
double nearest_ratio(BigNumber numerator, BigNumber denominator) {
  // The ratio becomes 2^exponent * numerator / denominator, with 1 <= numerator / denominator < 2.
  int64_t exponent = numerator.bit_length() - denominator.bit_length();
  if (exponent > 0) denominator.shift_left(static_cast<uint64_t>(exponent));
  if (exponent < 0) numerator.shift_left(static_cast<uint64_t>(-exponent));
  if (numerator.compare(denominator) < 0) {
    numerator.shift_left(1);
    --exponent;
  }
  constexpr int64_t kLeast = std::numeric_limits<double>::min_exponent - 1;
  const int64_t n_bits =
      std::numeric_limits<double>::digits - std::max<int64_t>(kLeast - exponent, 0);
  if (n_bits < 0) return 0;
  uint64_t mantissa = 0;
  for (int64_t i = 0; i < n_bits; ++i) {
    const bool bit = numerator.compare(denominator) >= 0;
    if (bit) numerator.subtract(denominator);
    numerator.shift_left(1);
    mantissa = mantissa << 1 | (bit ? 1 : 0);
  }
  // What is left, against half a unit of the last place.
  const int rest = numerator.compare(denominator);
  if (rest > 0 || (rest == 0 && mantissa % 2 == 1)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent - n_bits + 1));
}

double parse_magnitude(const Decimal& decimal) {
  const auto n_digits = static_cast<int64_t>(decimal.digits.size());
  if (n_digits == 0 || n_digits + decimal.exponent < -kLargestExponent) return 0;
  if (n_digits + decimal.exponent > kLargestExponent) {
    return std::numeric_limits<double>::infinity();
  }
  BigNumber numerator;
  for (const char digit : decimal.digits) {
    numerator.multiply_add(10, static_cast<uint32_t>(digit - '0'));
  }
  BigNumber denominator;
  denominator.multiply_add(0, 1);
  numerator.multiply_by_power_of_ten(decimal.exponent);
  denominator.multiply_by_power_of_ten(-decimal.exponent);
  return nearest_ratio(std::move(numerator), std::move(denominator));
}

}  // namespace

double parse_double(std::string_view number) {
  const double magnitude = parse_magnitude(read_decimal(number));
  return number.starts_with('-') ? -magnitude : magnitude;
}

}  // namespace ambry::io
