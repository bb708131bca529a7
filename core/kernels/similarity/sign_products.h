// Products of a vector of small integers with rows of signs, one bit a value. The integers are
// stored as planes of bits, so that a product is a number of bits that are set in both.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/unroll.h"

namespace ambry::kernels {

// Integers of 4 bits, -8 … 7: the highest plane counts negatively.
inline constexpr size_t kSignPlanes = 4;
// A row of signs is a multiple of this.
inline constexpr size_t kSignBlockBytes = 16;
// A byte of a plane's sum grows by at most 8 in each step, so it holds so many of them.
inline constexpr size_t kMostSignSteps = 31;

// The sum of the integers whose bit in `signs` is set. `planes` holds kSignPlanes rows of
// signs.size() bytes, the lowest bits of the integers first.
template <class V>
[[nodiscard]] int32_t sum_where_set(std::span<const uint8_t> signs, const uint8_t* planes) {
  assert(signs.size() % kSignBlockBytes == 0);
  constexpr size_t kStep = 4 * V::kLanes;
  constexpr size_t kAtOnce = kMostSignSteps * kStep;
  const size_t n = signs.size();
  auto total = V::splat_i32(0);
  for (size_t from = 0; from < n; from += kAtOnce) {
    const size_t end = n - from < kAtOnce ? n : from + kAtOnce;
    typename V::I32 counts[kSignPlanes];
    unroll<kSignPlanes>([&](auto j) { counts[j] = V::splat_i32(0); });
    for (size_t i = from; i < end; i += kStep) {
      const auto row = V::load_i8x4(&signs[i]);
      unroll<kSignPlanes>([&](auto j) {
        const auto both = V::and_i32(row, V::load_i8x4(planes + j * n + i));
        counts[j] = V::add_i32(counts[j], V::popcount_i8x4(both));
      });
    }
    unroll<kSignPlanes - 1>([&](auto j) {
      total = V::add_i32(total, V::shift_left(V::sum_u8x4(counts[j]), static_cast<uint32_t>(j)));
    });
    constexpr size_t kHighest = kSignPlanes - 1;
    total = V::sub_i32(total, V::shift_left(V::sum_u8x4(counts[kHighest]), kHighest));
  }
  return V::reduce_add_i32(total);
}

}  // namespace ambry::kernels
