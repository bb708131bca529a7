// One row of quantized x times a panel of super-blocks (super_block_layout.h), straight from the
// packed codes: in bytes where these are fast (V::kFastInt8Dot), elsewhere in pairs of 16 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/super_block_codes.h"
#include "kernels/gemm/super_block_sums.h"

namespace ambry::kernels {

// Sums of products with codes of x as bytes: with 14 bits as two bytes (Int8Rows).
template <class V, bool kInt14>
class ByteProducts {
 public:
  using Code = int8_t;
  static constexpr size_t kUnitCodes = kInt14 ? 2 * kUnit : kUnit;
  static constexpr size_t kDigits = kInt14 ? 3 : 2;

  explicit ByteProducts(int32_t start) {
    unroll<kRowVectors<V>>([&](auto v) { low_[v] = V::splat_i32(start); });
  }
  template <size_t kFour>
  [[gnu::always_inline]] void add(size_t v, const Code* unit, typename V::I32 four) {
    const Code* x = unit + (kInt14 ? kFour / 2 * 16 + kFour % 2 * 4 : kFour * 4);
    low_[v] = V::add_dot_i8x4(V::splat_i8x4(x), four, low_[v]);
    if constexpr (kInt14) high_[v] = V::add_dot_i8x4(V::splat_i8x4(x + 8), four, high_[v]);
  }
  [[gnu::always_inline]] typename V::I32 total(size_t v) const {
    return kInt14 ? V::add_i32(V::shift_left(high_[v], 7), low_[v]) : low_[v];
  }

 private:
  RowSums<V> low_;
  RowSums<V> high_;
};

// The same with int16 codes of x, of any number of bits.
template <class V, SuperBlockLayout kLayout>
class PairProducts {
 public:
  using Code = int16_t;
  static constexpr size_t kUnitCodes = kUnit;
  static constexpr size_t kDigits = 3;

  explicit PairProducts(int32_t start) {
    unroll<kRowVectors<V>>([&](auto v) { sums_[v] = V::splat_i32(start); });
  }
  template <size_t kFour>
  [[gnu::always_inline]] void add(size_t v, const Code* unit, typename V::I32 four) {
    const Code* x = unit + kFour / 2 * 8 + kFour % 2 * 2;
    sums_[v] = V::add_i32(sums_[v], V::dot_i16x2(even_codes<V, kLayout>(four), V::splat_i16x2(x)));
    sums_[v] =
        V::add_i32(sums_[v], V::dot_i16x2(odd_codes<V, kLayout>(four), V::splat_i16x2(x + 4)));
  }
  [[gnu::always_inline]] typename V::I32 total(size_t v) const { return sums_[v]; }

 private:
  RowSums<V> sums_;
};

// Computes to[0..8) of a panel of `n_blocks` super-blocks.
template <class V, SuperBlockLayout kLayout, class Products>
[[gnu::noinline]] void multiply_super_block_row(const uint8_t* block, size_t n_blocks,
                                                const SuperBlockRows& x, const void* table_bytes,
                                                float* to) {
  constexpr size_t kFours = kLayout.sub_block / 4;  // of a sub-block
  constexpr size_t kUnitSubBlocks = kUnit / kLayout.sub_block;
  const auto table = V::load_table(table_bytes);
  const auto* codes = static_cast<const typename Products::Code*>(x.codes);
  const int32_t* start = x.sums;
  typename V::F32 y[kRowVectors<V>];
  unroll<kRowVectors<V>>([&](auto v) { y[v] = V::zero(); });
  for (size_t b = 0; b < n_blocks; ++b, block += kLayout.bytes()) {
    const auto* numbers = reinterpret_cast<const int32_t*>(block + kLayout.numbers_at());
    const auto* words = reinterpret_cast<const int32_t*>(block + kLayout.codes_at());
    RowSums<V> sums;
    for (uint32_t quad = 0; quad < kLayout.sub_blocks() / 4; ++quad) {
      typename V::I32 scales[kRowVectors<V>];
      unroll<kRowVectors<V>>(
          [&](auto v) { scales[v] = four_numbers<V, kLayout>(numbers, quad, v); });
      for (size_t unit = 0; unit < 4 / kUnitSubBlocks; ++unit) {
        UnitCodes<V, kLayout> weights(words, table);
        unroll<kUnitSubBlocks>([&](auto s) {
          Products products(kLayout.minima ? 0 : start[s]);
          unroll<kFours>([&](auto i) {
            constexpr size_t kFour = s * kFours + i;
            unroll<kRowVectors<V>>([&](auto v) {
              products.template add<kFour>(v, codes, weights.template four<kFour>(v));
            });
          });
          unroll<kRowVectors<V>>([&](auto v) {
            const auto scale = first_scale<V, kLayout>(scales[v]);
            scales[v] = V::shift_right(scales[v], 8);
            sums[v] = V::add_i32(sums[v], V::mul_i32(scale, products.total(v)));
          });
        });
        words += kLayout.unit_words();
        codes += Products::kUnitCodes;
        start += kUnitSubBlocks;
      }
    }
    const BlockOfX of_x{start - kLayout.sub_blocks(), kLayout.sub_blocks() / 4, x.scales[b]};
    unroll<kRowVectors<V>>([&](auto v) {
      const auto minima = [&](uint32_t quad) {
        return four_numbers<V, kLayout>(numbers, kLayout.sub_blocks() / 4 + quad, v);
      };
      y[v] = add_super_block<V, kLayout.minima, Products::kDigits>(
          y[v], sums[v], load_halves<V, kLayout.minima>(block, v), of_x, minima);
    });
  }
  unroll<kRowVectors<V>>([&](auto v) { V::store(to + v * V::kLanes, y[v]); });
}

}  // namespace ambry::kernels
