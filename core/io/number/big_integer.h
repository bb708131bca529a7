// Exact integer arithmetic, for conversions between decimal text and binary floats.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ambry::io {

// A non-negative integer in base 2^32, with the least significant digit first and no leading zero.
class BigInteger {
 public:
  BigInteger() = default;
  explicit BigInteger(uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<uint32_t>(value));
  }

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

  // Does nothing when exponent <= 0.
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

  // Negative, zero or positive when this is less than, equal to or greater than `other`.
  [[nodiscard]] int compare(const BigInteger& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

  // `other` must not be greater than this.
  void subtract(const BigInteger& other) {
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

}  // namespace ambry::io
