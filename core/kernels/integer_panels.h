// A quantised weight [rows, cols] for products of whole numbers: codes of 8, 4 or 5 bits in panels
// of eight rows whose columns are cut into groups with a scale for each row. Activations become
// whole numbers as well (quantize_rows.h), sums over a group are exact, and groups are added in
// order, so that a result has the same bits for one row of x or many, and in every flavour.
//
// A panel's group is eight scales in f32, then its codes. Of 8 bits, pair after pair of columns,
// each the eight rows' two codes side by side. Of 4 bits, eight columns after another, each as 16
// numbers of 16 bits: number 2r + j holds row r's codes plus 8 of columns j, 2 + j, 4 + j and 6 + j
// from its lowest bit on. Of 5 bits, codes plus 16, the lower 4 bits lie the same way; after 32
// columns come 16 more numbers, whose bits 4i + e are the fifth bits of columns 8e + 2i + j.
//
// One row of x is multiplied straight from the codes. For several, each panel is once widened to
// pairs of 16 bits and goes through the loops of pair_products.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/pair_products.h"
#include "kernels/quantize_rows.h"
#include "tensor/stored_values.h"

namespace ambry::kernels {

// Bytes of quantised activations that one block of rows may take, about half of a small L2 cache.
inline constexpr size_t kCodeBlockBytes = size_t{192} * 1024;
// Sums over so many columns fit 32 bits, also at their places, of codes of up to 4 and of 5 bits.
inline constexpr size_t kMaxGroup = 256;
inline constexpr size_t kMaxGroupOf5 = 128;

// The vectors that hold a number for each row of a panel.
template <class V>
inline constexpr size_t kRowVectors = kPanelColumns / V::kLanes;
template <class V>
struct RowSums {
  typename V::I32 vectors[kRowVectors<V>];

  RowSums() {
    unroll<kRowVectors<V>>([&](auto v) { vectors[v] = V::splat_i32(0); });
  }
  typename V::I32& operator[](size_t v) { return vectors[v]; }
  const typename V::I32& operator[](size_t v) const { return vectors[v]; }
};

// Σ of `n` columns of x times codes of 8 bits.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_eights(const int8_t* codes, const int16_t* x,
                                                         size_t n) {
  RowSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 2, codes += 2 * kPanelColumns) {
    const auto pair = V::splat_pair(x);
    unroll<kRowVectors<V>>([&](auto v) {
      const auto weights = V::load_byte_pairs(codes + 2 * v * V::kLanes);
      sums[v] = V::add_i32(sums[v], V::dot_pairs(weights, pair));
    });
  }
  return sums;
}

// Sums of products with codes that lie at three places of their 16 bits, which need no shift: the
// products are 2^4 or 2^8 times too large until their sum is known.
template <class V>
struct PlacedSums {
  RowSums<V> at0;
  RowSums<V> at4;
  RowSums<V> at8;

  // codes[i] meets x[2i] and x[2i + 1]; they lie at bits 0, 4, 8 and 0.
  [[gnu::always_inline]] void add(size_t v, const typename V::I32 (&codes)[4], const int16_t* x) {
    const auto product = [&](size_t i) { return V::dot_pairs(codes[i], V::splat_pair(x + 2 * i)); };
    at0[v] = V::add_i32(V::add_i32(at0[v], product(0)), product(3));
    at4[v] = V::add_i32(at4[v], product(1));
    at8[v] = V::add_i32(at8[v], product(2));
  }
  // All codes were too large by 2^excess_bits. `sum_x` wraps around where x is not finite, and the
  // scale is NaN.
  [[nodiscard]] RowSums<V> total(int32_t sum_x, uint32_t excess_bits) const {
    const auto excess = V::shift_left(V::splat_i32(sum_x), excess_bits);
    RowSums<V> sums;
    unroll<kRowVectors<V>>([&](auto v) {
      const auto sum = V::add_i32(at0[v], V::shift_right(at4[v], 4));
      sums[v] = V::sub_i32(V::add_i32(sum, V::shift_right(at8[v], 8)), excess);
    });
    return sums;
  }
};

// The same for codes of 4 bits; `sum_x` is the sum of x.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fours(const int32_t* codes, const int16_t* x,
                                                        size_t n, int32_t sum_x) {
  PlacedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 8, codes += kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      const auto w = V::load_ints(codes + v * V::kLanes);
      sums.add(v,
               {V::and_i32(w, V::splat_i32(0x000F000F)), V::and_i32(w, V::splat_i32(0x00F000F0)),
                V::and_i32(w, V::splat_i32(0x0F000F00)), V::shift_pairs_right(w, 12)},
               x);
    });
  }
  return sums.total(sum_x, 3);
}

// The same for codes of 5 bits.
template <class V>
[[gnu::always_inline]] inline RowSums<V> multiply_fives(const int32_t* codes, const int16_t* x,
                                                        size_t n, int32_t sum_x) {
  PlacedSums<V> sums;
  for (const int16_t* end = x + n; x < end; x += 32, codes += 5 * kPanelColumns) {
    unroll<kRowVectors<V>>([&](auto v) {
      const auto fifth = V::load_ints(codes + 4 * kPanelColumns + v * V::kLanes);
      unroll<4>([&](auto e) {
        const auto w = V::load_ints(codes + e * kPanelColumns + v * V::kLanes);
        const auto left = V::shift_left(fifth, static_cast<uint32_t>(4 - e));
        const auto right = V::shift_pairs_right(fifth, static_cast<uint32_t>(8 + e));
        const auto both = [](auto low, int32_t low_bits, auto high, int32_t high_bit) {
          return V::or_i32(V::and_i32(low, V::splat_i32(low_bits)),
                           V::and_i32(high, V::splat_i32(high_bit)));
        };
        const auto last = V::and_i32(right, V::splat_i32(0x00100010));
        sums.add(
            v,
            {both(w, 0x000F000F, left, 0x00100010), both(w, 0x00F000F0, left, 0x01000100),
             both(w, 0x0F000F00, left, 0x10001000), V::or_i32(V::shift_pairs_right(w, 12), last)},
            x + 8 * e);
      });
    });
  }
  return sums.total(sum_x, 4);
}

class IntegerPanels {
 public:
  IntegerPanels() = default;

  // Whether a weight of this type, whose rows have blocks of `block` numbers (0: one), has this
  // form.
  [[nodiscard]] static bool can_hold(tensor::DType dtype, uint64_t block, uint64_t cols) {
    return group_size(dtype, block, cols) != 0;
  }
  // can_hold() is true. What bytes() of the packed weight will be.
  [[nodiscard]] static uint64_t bytes_of(tensor::DType dtype, uint64_t block, uint64_t rows,
                                         uint64_t cols);
  // The same. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<IntegerPanels> pack(const tensor::StoredValues& stored,
                                                  tensor::DType dtype, uint64_t block, size_t rows,
                                                  size_t cols);

  [[nodiscard]] size_t bytes() const { return panels_.size(); }
  // Floats of scratch for n rows of x.
  [[nodiscard]] size_t scratch_floats(size_t n) const;

  // y[n][rows] = x[n][cols] Wᵀ
  template <class V>
  void multiply(const float* x, size_t n, float* y, std::span<float> scratch) const;

  void row(size_t r, float* to) const;

 private:
  // The scales of a group, and its codes.
  struct Group {
    const float* scales;
    const uint8_t* codes;
  };

  // One panel as pair_products.h wants it.
  struct Widened {
    int16_t* pairs;
    float* scales;
  };

  [[nodiscard]] static size_t group_size(tensor::DType dtype, uint64_t block, uint64_t cols);
  [[nodiscard]] size_t group_bytes() const {
    return kPanelColumns * sizeof(float) + group_ * bits_;
  }
  [[nodiscard]] size_t at(size_t panel, size_t group) const {
    return (panel * n_groups_ + group) * group_bytes();
  }
  [[nodiscard]] Group group(size_t panel, size_t group) const {
    const uint8_t* from = panels_.data() + at(panel, group);
    return {reinterpret_cast<const float*>(from), from + kPanelColumns * sizeof(float)};
  }
  void put_code(uint8_t* codes, size_t r, size_t i, int code) const;
  [[nodiscard]] int code(const uint8_t* codes, size_t r, size_t i) const;
  void put_row(const tensor::StoredValues& stored, size_t r, std::span<float> codes);

  template <class V, uint32_t kBits>
  void multiply_row(size_t panel, const QuantizedRows& x, size_t r, float* to) const;
  template <class V>
  void widen(size_t panel, const Widened& to) const;
  template <class V>
  void multiply_panel(size_t panel, const QuantizedRows& x, size_t begin, size_t end, float* y,
                      const Widened& widened) const;

  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t n_groups_ = 0;
  size_t group_ = 0;  // numbers in a group; the last one is filled up with zeros
  uint32_t bits_ = 8;
  AlignedBuffer panels_;
};

// One loop for each width of codes, so that a group's sums stay in registers.
template <class V, uint32_t kBits>
void IntegerPanels::multiply_row(size_t panel, const QuantizedRows& x, size_t r, float* to) const {
  typename V::F32 sums[kRowVectors<V>];
  unroll<kRowVectors<V>>([&](auto v) { sums[v] = V::zero(); });
  for (size_t g = 0; g < n_groups_; ++g) {
    const size_t i = r * n_groups_ + g;
    const Group weights = group(panel, g);
    const auto* words = reinterpret_cast<const int32_t*>(weights.codes);
    const int16_t* from = x.codes + i * group_;
    RowSums<V> products;
    if constexpr (kBits == 8) {
      products = multiply_eights<V>(reinterpret_cast<const int8_t*>(words), from, group_);
    } else if constexpr (kBits == 4) {
      products = multiply_fours<V>(words, from, group_, x.sums[i]);
    } else {
      products = multiply_fives<V>(words, from, group_, x.sums[i]);
    }
    unroll<kRowVectors<V>>([&](auto v) {
      const auto scale = V::load(weights.scales + v * V::kLanes);
      sums[v] = add_scaled<V>(sums[v], products[v], scale, x.scales[i]);
    });
  }
  unroll<kRowVectors<V>>([&](auto v) { V::store(to + v * V::kLanes, sums[v]); });
}

// Eight columns of codes of 4 or 5 bits as pairs; `fifth` are their fifth bits, of column 8e first,
// or nullptr.
template <class V>
void widen_eight(const int32_t* codes, const int32_t* fifth, uint32_t e, int16_t* pairs) {
  const auto excess = V::splat_i32(fifth == nullptr ? 0x00080008 : 0x00100010);
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto w = V::load_ints(codes + c);
    for (uint32_t i = 0; i < 4; ++i) {
      auto code = V::and_i32(V::shift_pairs_right(w, 4 * i), V::splat_i32(0x000F000F));
      if (fifth != nullptr) {
        const auto bit = V::shift_pairs_right(V::load_ints(fifth + c), 4 * i + e);
        code = V::or_i32(code, V::shift_left(V::and_i32(bit, V::splat_i32(0x00010001)), 4));
      }
      V::store_pairs(pairs + 2 * (i * kPanelColumns + c), V::sub_pairs(code, excess));
    }
  }
}

template <class V>
void IntegerPanels::widen(size_t panel, const Widened& to) const {
  int16_t* pairs = to.pairs;
  for (size_t g = 0; g < n_groups_; ++g, pairs += group_ * kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, to.scales + g * kPanelColumns);
    const auto* words = reinterpret_cast<const int32_t*>(from.codes);
    if (bits_ == 8) {
      for (size_t i = 0; i < group_ * kPanelColumns; i += 2 * V::kLanes) {
        V::store_pairs(pairs + i, V::load_byte_pairs(reinterpret_cast<const int8_t*>(words) + i));
      }
      continue;
    }
    for (uint32_t i = 0; i < group_ / 8; ++i) {
      const int32_t* eight = words + (i / 4 * bits_ + i % 4) * kPanelColumns;
      const int32_t* fifth = bits_ == 4 ? nullptr : eight + (4 - i % 4) * kPanelColumns;
      widen_eight<V>(eight, fifth, i % 4, pairs + size_t{8} * i * kPanelColumns);
    }
  }
}

// Panel `panel` against rows [begin, end) of x.
template <class V>
void IntegerPanels::multiply_panel(size_t panel, const QuantizedRows& x, size_t begin, size_t end,
                                   float* y, const Widened& widened) const {
  const size_t first = panel * kPanelColumns;
  const size_t n_filled = std::min(kPanelColumns, rows_ - first);
  const bool few = end - begin < kPairRows;
  if (!few) widen<V>(panel, widened);
  const PairGroups rows{x.codes, x.scales, nullptr, nullptr};
  const PairGroups columns{widened.pairs, widened.scales, nullptr, nullptr};
  for (size_t r = begin; r < end;) {
    float sums[kPairRows * kPanelColumns];
    const size_t n = few ? 1 : std::min(kPairRows, end - r);
    if (few) {
      bits_ == 8   ? multiply_row<V, 8>(panel, x, r, sums)
      : bits_ == 4 ? multiply_row<V, 4>(panel, x, r, sums)
                   : multiply_row<V, 5>(panel, x, r, sums);
    } else {
      multiply_groups<V>(GroupForm{n_groups_, group_ / 2}, rows, r, n, columns, sums);
    }
    for (size_t i = 0; i < n; ++i, ++r) {
      std::copy_n(sums + i * kPanelColumns, n_filled, y + r * rows_ + first);
    }
  }
}

template <class V>
void IntegerPanels::multiply(const float* x, size_t n, float* y, std::span<float> scratch) const {
  const size_t padded = n_groups_ * group_;
  float* scales = scratch.data();
  auto* sums = reinterpret_cast<int32_t*>(scales + n * n_groups_);
  auto* codes = reinterpret_cast<int16_t*>(sums + n * n_groups_);
  auto* panel_scales = reinterpret_cast<float*>(codes + n * padded);
  auto* pairs = reinterpret_cast<int16_t*>(panel_scales + n_groups_ * kPanelColumns);
  const QuantizedRows rows{codes, scales, sums};
  quantize_rows<V>(x, n, cols_, n_groups_, group_, rows);
  const size_t block = std::max(kCodeBlockBytes / (padded * sizeof(int16_t)), 4 * kPairRows);
  for (size_t begin = 0; begin < n; begin += block) {
    const size_t end = std::min(begin + block, n);
    for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
      multiply_panel<V>(panel, rows, begin, end, y, Widened{pairs, panel_scales});
    }
  }
}

}  // namespace ambry::kernels
