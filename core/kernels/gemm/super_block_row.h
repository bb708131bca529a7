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

// Adds the products of a unit's codes, times the scales of their sub-blocks, to `sums`.
template <class V, SuperBlockLayout kLayout, class Products>
[[gnu::always_inline]] inline void add_unit(UnitCodes<V, kLayout> weights,
                                            const typename Products::Code* codes,
                                            const int32_t* start, const int32_t* scales,
                                            RowSums<V>& sums) {
  constexpr size_t kFours = kLayout.sub_block / 4;  // of a sub-block
  unroll<kUnit / kLayout.sub_block>([&](auto s) AMBRY_INLINE {
    Products products(kLayout.minima ? 0 : start[s]);
    unroll<kFours>([&](auto i) AMBRY_INLINE {
      constexpr size_t kFour = s * kFours + i;
      unroll<kRowVectors<V>>([&](auto v) AMBRY_INLINE {
        products.template add<kFour>(v, codes, weights.template four<kFour>(v));
      });
    });
    unroll<kRowVectors<V>>([&](auto v) AMBRY_INLINE {
      const auto scale = V::load_i32(scales + s * kPanelColumns + v * V::kLanes);
      sums[v] = V::add_i32(sums[v], V::mul_i32(scale, products.total(v)));
    });
  });
}

// Computes to[0..8) of a panel of `n_blocks` super-blocks.
template <class V, SuperBlockLayout kLayout, class Products>
[[gnu::noinline]] void multiply_super_block_row(const uint8_t* block, size_t n_blocks,
                                                const SuperBlockRows& x, const void* table_bytes,
                                                float* to) {
  constexpr size_t kUnitSubBlocks = kUnit / kLayout.sub_block;
  const auto table = V::load_table(table_bytes);
  const auto* codes = static_cast<const typename Products::Code*>(x.codes);
  const int32_t* start = x.sums;
  std::fill_n(to, kPanelColumns, 0.0F);
  for (size_t b = 0; b < n_blocks; ++b, block += kLayout.bytes()) {
    const auto* numbers = reinterpret_cast<const int32_t*>(block + kLayout.numbers_at());
    const auto* words = reinterpret_cast<const int32_t*>(block + kLayout.codes_at());
    int32_t scales[kLayout.sub_blocks() * kPanelColumns];
    widen_scales<V, kLayout>(numbers, scales);
    const int32_t* scale = scales;
    RowSums<V> sums;
    const BlockOfX of_x{start, kLayout.sub_blocks() / 4, x.scales[b]};
    for (size_t unit = 0; unit < kSuperBlock / kUnit; ++unit) {
      add_unit<V, kLayout, Products>({words, table}, codes, start, scale, sums);
      words += kLayout.unit_words();
      codes += Products::kUnitCodes;
      start += kUnitSubBlocks;
      scale += kUnitSubBlocks * kPanelColumns;
    }
    const auto halves = [&](size_t v)
                            AMBRY_INLINE { return load_halves<V, kLayout.minima>(block, v); };
    const auto minima = [&](uint32_t quad, size_t v) AMBRY_INLINE {
      return four_numbers<V, kLayout>(numbers, kLayout.sub_blocks() / 4 + quad, v);
    };
    add_super_block<V, kLayout.minima, Products::kDigits>(sums, halves, of_x, minima, to);
  }
}

}  // namespace ambry::kernels
