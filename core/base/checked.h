// 64-bit size arithmetic on untrusted numbers. Overflow gives an empty optional.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace ambry {

[[nodiscard]] inline std::optional<uint64_t> checked_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

[[nodiscard]] inline std::optional<uint64_t> checked_mul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// The product of all factors; 1 for none.
[[nodiscard]] inline std::optional<uint64_t> checked_product(std::span<const uint64_t> factors) {
  uint64_t product = 1;
  for (const uint64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  }
  return product;
}

// `value` rounded up to a multiple of `alignment`, a power of two.
[[nodiscard]] inline std::optional<uint64_t> checked_align_up(uint64_t value, uint64_t alignment) {
  const auto padded = checked_add(value, alignment - 1);
  if (!padded) return std::nullopt;
  return *padded & ~(alignment - 1);
}

}  // namespace ambry
