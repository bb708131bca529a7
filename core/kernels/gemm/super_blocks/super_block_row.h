// One row of quantized x times a panel of super-blocks (super_block_layout.h), straight from the
// packed codes: in bytes where these are fast (V::kFastInt8Dot), elsewhere in pairs of 16 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/super_blocks/super_block_codes.h"
#include "kernels/gemm/super_blocks/super_block_sums.h"

namespace ambry::kernels {

#define AMBRY_KEEP_LOOP _Pragma("clang loop unroll(disable)")

// Sums of products with codes of x as bytes: with 14 bits as two bytes (Int8Rows).
template <class V, bool kInt14>
class ByteProducts {
 public:
  using Code = int8_t;
  static constexpr size_t kColumnCodes = kInt14 ? 2 : 1;
  static constexpr size_t kDigits = kInt14 ? 3 : 2;
  static constexpr size_t kFoursTogether = kInt14 ? 2 : 4;

  explicit ByteProducts(int32_t start) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { low_[v] = V::splat_i32(start); });
  }
  template <size_t kFour>
  [[gnu::always_inline]] void add(size_t v, const Code* codes, typename V::I32 four) {
    const Code* x = codes + (kInt14 ? kFour / 2 * 16 + kFour % 2 * 4 : kFour * 4);
    low_[v] = V::add_dot_i8x4(V::splat_i8x4(x), four, low_[v]);
    if constexpr (kInt14) high_[v] = V::add_dot_i8x4(V::splat_i8x4(x + 8), four, high_[v]);
  }
  [[gnu::always_inline]] void add_all(const ByteProducts& other) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
      low_[v] = V::add_i32(low_[v], other.low_[v]);
      if constexpr (kInt14) high_[v] = V::add_i32(high_[v], other.high_[v]);
    });
  }
  [[gnu::always_inline]] typename V::I32 total(size_t v) const {
    return kInt14 ? V::add_i32(V::shift_left(high_[v], 7), low_[v]) : low_[v];
  }

 private:
  RowSums<V> low_;
  RowSums<V> high_;
};

// Products with int16 codes of x, of any number of bits.
template <class V, SuperBlockLayout kLayout>
class PairProducts {
 public:
  using Code = int16_t;
  static constexpr size_t kColumnCodes = 1;
  static constexpr size_t kDigits = 3;
  static constexpr size_t kFoursTogether = 2;

  explicit PairProducts(int32_t start) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { sums_[v] = V::splat_i32(start); });
  }
  template <size_t kFour>
  [[gnu::always_inline]] void add(size_t v, const Code* codes, typename V::I32 four) {
    const Code* x = codes + kFour / 2 * 8 + kFour % 2 * 2;
    sums_[v] = V::add_i32(sums_[v], V::dot_i16x2(even_codes<V, kLayout>(four), V::splat_i16x2(x)));
    sums_[v] =
        V::add_i32(sums_[v], V::dot_i16x2(odd_codes<V, kLayout>(four), V::splat_i16x2(x + 4)));
  }
  [[gnu::always_inline]] void add_all(const PairProducts& other) {
    unroll<kRowVectors<V>, kLoopOverVectors<V>>(
        [&](auto v) AMBRY_INLINE { sums_[v] = V::add_i32(sums_[v], other.sums_[v]); });
  }
  [[gnu::always_inline]] typename V::I32 total(size_t v) const { return sums_[v]; }

 private:
  RowSums<V> sums_;
};

// Columns of whole sub-blocks and whole groups.
[[nodiscard]] constexpr size_t step_columns(const SuperBlockLayout& layout) {
  return std::max<size_t>(layout.sub_block, size_t{4} * layout.group_fours());
}

// Adds the products of kFours fours from kFirst on of a group, or of groups one after another.
template <class V, SuperBlockLayout kLayout, size_t kFirst, size_t kFours, class Products>
[[gnu::always_inline]] inline void add_fours(const int32_t* words, typename V::Table table,
                                             const typename Products::Code* codes,
                                             Products& products) {
  unroll<kFours>([&](auto i) AMBRY_INLINE {
    constexpr size_t kFour = (kFirst + i) % kLayout.group_fours();
    constexpr size_t kWord = (kFirst + i) / kLayout.group_fours() * kLayout.group_words();
    const int32_t* group = words + kWord * kPanelColumns;
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
      products.template add<kFirst + i>(v, codes, four_codes<V, kLayout, kFour>(group, v, table));
    });
  });
}

// Adds the products of a sub-block's codes, or of those of a group that has several, times their
// scales, to `sums`.
template <class V, SuperBlockLayout kLayout, class Products>
[[gnu::always_inline]] inline void add_sub_blocks(const int32_t* words, typename V::Table table,
                                                  const typename Products::Code* codes,
                                                  const int32_t* start, RowSums<V>& scales,
                                                  RowSums<V>& sums) {
  constexpr size_t kFours = kLayout.sub_block / 4;
  constexpr size_t kHalf = kFours / 2;
  unroll<step_columns(kLayout) / kLayout.sub_block>([&](auto s) AMBRY_INLINE {
    Products products(kLayout.minima ? 0 : start[s]);
    if constexpr (kLayout.group_fours() < kHalf) {
      // A loop, for the compiler unpacks all codes of a longer chain of products before it
      // multiplies the first, and runs out of registers.
      constexpr size_t kStep = Products::kFoursTogether;
      AMBRY_KEEP_LOOP for (size_t i = 0; i < kFours; i += kStep) {
        add_fours<V, kLayout, 0, kStep>(words, table, codes, products);
        words += kStep / kLayout.group_fours() * kLayout.group_words() * kPanelColumns;
        codes += kStep * 4 * Products::kColumnCodes;
      }
    } else if constexpr (kFours > 4) {
      Products rest(0);  // shorter chains, likewise
      add_fours<V, kLayout, 0, kHalf>(words, table, codes, products);
      add_fours<V, kLayout, kHalf, kHalf>(words, table, codes, rest);
      products.add_all(rest);
    } else {
      add_fours<V, kLayout, s * kFours, kFours>(words, table, codes, products);
    }
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) AMBRY_INLINE {
      const auto scale = take_scale<V, kLayout>(scales[v]);
      sums[v] = V::add_i32(sums[v], V::mul_i32(scale, products.total(v)));
    });
  });
}

// Computes to[0..8) of a panel of `n_blocks` super-blocks.
template <class V, SuperBlockLayout kLayout, class Products>
[[gnu::noinline]] void multiply_super_block_row(const uint8_t* block, size_t n_blocks,
                                                const SuperBlockRows& x, const void* table_bytes,
                                                float* to) {
  constexpr size_t kColumns = step_columns(kLayout);
  constexpr size_t kSteps = kSuperBlock / kColumns / kLayout.scale_words();  // of a word of scales
  const auto table = V::load_table(table_bytes);
  const auto* codes = static_cast<const typename Products::Code*>(x.codes);
  const int32_t* start = x.sums;
  std::fill_n(to, kPanelColumns, 0.0F);
  for (size_t b = 0; b < n_blocks; ++b, block += kLayout.bytes()) {
    x.ahead.touch(b * kLayout.bytes(), kLayout.bytes());
    const auto* scale_words = reinterpret_cast<const int32_t*>(block + kLayout.scales_at());
    const auto* words = reinterpret_cast<const int32_t*>(block + kLayout.codes_at());
    RowSums<V> sums;
    constexpr auto kQuads = std::integral_constant<size_t, kLayout.sub_blocks() / 4>();
    const BlockOfX<decltype(kQuads)> of_x{start, kQuads, x.scales[b]};
    AMBRY_KEEP_LOOP for (size_t i = 0; i < kLayout.scale_words(); ++i) {
      RowSums<V> scales;
      unroll<kRowVectors<V>, kLoopOverVectors<V>>(
          [&](auto v) AMBRY_INLINE { scales[v] = V::load_i32(scale_words + v * V::kLanes); });
      scale_words += kPanelColumns;
      AMBRY_KEEP_LOOP for (size_t step = 0; step < kSteps; ++step) {
        add_sub_blocks<V, kLayout, Products>(words, table, codes, start, scales, sums);
        words += kColumns * kLayout.code_bits * kPanelColumns / 32;
        codes += kColumns * Products::kColumnCodes;
        start += kColumns / kLayout.sub_block;
      }
    }
    const auto factors = [&](size_t v)
                             AMBRY_INLINE { return load_factors<V, kLayout.minima>(block, v); };
    const auto minima = [&](uint32_t quad, size_t v)
                            AMBRY_INLINE { return four_minima<V, kLayout>(block, quad, v); };
    add_super_block<V, kLayout.minima, Products::kDigits>(sums, factors, of_x, minima, to);
  }
}

#undef AMBRY_KEEP_LOOP

}  // namespace ambry::kernels
