// Rows of floats as whole numbers with a scale and an offset for each row, number = offset + code *
// scale: what activations become before they meet an int8 weight (byte_matrix.h).
//
// Where products of four bytes are fast a code has 7 bits, from the least to the greatest number of
// the row: the instruction is the same on every machine only for such. Elsewhere a code has 14 bits
// and a sign, and the offset is 0; fewer where sums over a long row would not fit 32 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/byte_matrix.h"
#include "simd/isa.h"

namespace ambry::kernels {

template <class V>
using RowCode = std::conditional_t<V::kFastQuads, uint8_t, int16_t>;

struct RowUnit {
  float scale;
  float offset;
  float sum;  // of the codes
};

// Row r has `stride` codes, its numbers and zeros, from codes + r * stride on.
template <class V>
struct CodedRows {
  RowCode<V>* codes;
  RowUnit* units;
  size_t rows;
  size_t stride;
};

// The range of a row's codes and what makes numbers into codes: (number - offset) * inverse.
template <class V>
struct RowRange {
  RowUnit unit;
  float inverse;

  static RowRange of(float least, float greatest, size_t k) {
    if constexpr (V::kFastQuads) return spread(greatest - least, 127.0F, least);
    // Products with codes of a weight, each at most 128.
    const size_t fitting = INT32_MAX / (size_t{128} * k);
    const auto limit = static_cast<float>(std::min<size_t>(fitting, 8191));
    return spread(std::max(greatest, -least), limit, 0.0F);
  }

 private:
  // A scale that would vanish leaves codes of 0.
  static RowRange spread(float size, float limit, float offset) {
    const float step = size / limit;
    return {{step, offset, 0.0F}, step < std::numeric_limits<float>::min() ? 0.0F : 1.0F / step};
  }
};

// Turns blocks of a row into codes, kByteBlock numbers at a time.
template <class V>
class RowEncoder {
 public:
  explicit RowEncoder(const RowRange<V>& range)
      : offset_(V::splat(range.unit.offset)),
        inverse_(V::splat(range.inverse)),
        total_(V::splat_i32(0)) {}

  void block(const float* from, RowCode<V>* to) {
    constexpr size_t kHalf = kByteBlock / 2;
    for (size_t i = 0; i < kHalf; i += V::kLanes) {
      const auto first = code(from + i);
      const auto second = code(from + kHalf + i);
      total_ = V::add_i32(total_, V::add_i32(first, second));
      if constexpr (V::kFastQuads) {
        // Two bytes of each lane: the order of byte_matrix.h.
        V::store_halves(reinterpret_cast<int16_t*>(to) + i,
                        V::or_i32(first, V::shift_left(second, 8)));
      } else {
        V::store_halves(to + i, first);
        V::store_halves(to + kHalf + i, second);
      }
    }
  }
  [[nodiscard]] float sum() const { return static_cast<float>(V::reduce_add_i32(total_)); }

 private:
  [[nodiscard]] typename V::I32 code(const float* from) const {
    // Added to a number below 2^22, it leaves the nearest whole number in the lowest bits.
    const auto magic = V::splat(0x1.8p23F);
    const auto steps = V::mul(V::sub(V::load(from), offset_), inverse_);
    return V::sub_i32(V::as_ints(V::add(steps, magic)), V::as_ints(magic));
  }

  typename V::F32 offset_;
  typename V::F32 inverse_;
  typename V::I32 total_;
};

template <class V>
[[nodiscard]] RowRange<V> range_of_row(const float* from, size_t k) {
  auto least = V::splat(from[0]);
  auto greatest = least;
  auto bad = V::zero();  // NaN once there was infinity or NaN
  const auto see = [&](typename V::F32 v) {
    least = V::min(least, v);
    greatest = V::max(greatest, v);
    bad = V::add(bad, V::mul(v, V::zero()));
  };
  const size_t whole = k / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) see(V::load(from + i));
  for (size_t i = whole; i < k; ++i) see(V::splat(from[i]));
  auto range = RowRange<V>::of(V::reduce_min(least), V::reduce_max(greatest), k);
  range.unit.scale += V::reduce_add(bad);
  return range;
}

// One row of k > 0 numbers; codes past them are 0. The scale is NaN where a number is not finite.
template <class V>
void encode_row(const float* from, size_t k, RowCode<V>* codes, RowUnit* unit) {
  const RowRange<V> range = range_of_row<V>(from, k);
  RowEncoder<V> encoder(range);
  const size_t whole = k / kByteBlock * kByteBlock;
  for (size_t i = 0; i < whole; i += kByteBlock) encoder.block(from + i, codes + i);
  if (whole < k) {
    float rest[kByteBlock];
    std::fill_n(rest, kByteBlock, range.unit.offset);
    std::copy(from + whole, from + k, rest);
    encoder.block(rest, codes + whole);
  }
  *unit = range.unit;
  unit->sum = encoder.sum();
}

// k numbers in each row, `x_stride` apart.
template <class V>
[[gnu::noinline]] void encode_rows(const float* x, size_t x_stride, size_t k,
                                   const CodedRows<V>& to) {
  for (size_t r = 0; r < to.rows; ++r) {
    encode_row<V>(x + r * x_stride, k, to.codes + r * to.stride, to.units + r);
  }
}

// Compiled for speed (gemm.cpp).
extern template void encode_rows<simd::Best>(const float*, size_t, size_t,
                                             const CodedRows<simd::Best>&);

}  // namespace ambry::kernels
