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
// One row of x is multiplied straight from the codes (panel_rows.h). For several, each panel is
// once widened to pairs of 16 bits and goes through the loops of pair_products.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/pair_products.h"
#include "kernels/panel_rows.h"
#include "kernels/quantize_rows.h"
#include "tensor/stored_values.h"

namespace ambry::kernels {

// Bytes of quantised activations that one block of rows may take, about half of a small L2 cache.
inline constexpr size_t kCodeBlockBytes = size_t{192} * 1024;
// Sums over so many columns fit 32 bits, also at their places, of codes of up to 4 and of 5 bits.
inline constexpr size_t kMaxGroup = 256;
inline constexpr size_t kMaxGroupOf5 = 128;

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

  // `bytes` are row r's where products of bytes are fast.
  template <class V, uint32_t kBits>
  void multiply_row(size_t panel, const QuantizedRows& x, BytePlanes bytes, size_t r,
                    float* to) const;
  template <class V>
  void widen(size_t panel, const Widened& to) const;
  template <class V>
  void multiply_few(const QuantizedRows& x, size_t begin, size_t end, float* y,
                    int16_t* memory) const;
  template <class V>
  void multiply_many(const QuantizedRows& x, size_t begin, size_t end, float* y,
                     const Widened& widened) const;
  // Row r of y has a number for each row of the weight.
  void put_results(size_t panel, size_t r, const float* sums, float* y) const {
    const size_t first = panel * kPanelColumns;
    std::copy_n(sums, std::min(kPanelColumns, rows_ - first), y + r * rows_ + first);
  }

  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t n_groups_ = 0;
  size_t group_ = 0;  // numbers in a group; the last one is filled up with zeros
  uint32_t bits_ = 8;
  AlignedBuffer panels_;
};

// A group of a row times that of a panel. One loop for each width of codes, so
// that a group's sums stay in registers.
template <class V, uint32_t kBits>
[[gnu::always_inline]] inline RowSums<V> multiply_group(const uint8_t* codes, const int16_t* x,
                                                        const BytePlanes& bytes, size_t n,
                                                        int32_t sum_x) {
  if constexpr (kBits == 8) {
    return multiply_eights<V>(reinterpret_cast<const int8_t*>(codes), x, n);
  }
  const auto* words = reinterpret_cast<const int32_t*>(codes);
  if constexpr (V::kFastQuads) {
    return kBits == 4 ? multiply_fours_by_bytes<V>(words, bytes, n, sum_x)
                      : multiply_fives_by_bytes<V>(words, bytes, n, sum_x);
  }
  return kBits == 4 ? multiply_fours_by_pairs<V>(words, x, n, sum_x)
                    : multiply_fives_by_pairs<V>(words, x, n, sum_x);
}

template <class V, uint32_t kBits>
void IntegerPanels::multiply_row(size_t panel, const QuantizedRows& x, BytePlanes bytes, size_t r,
                                 float* to) const {
  typename V::F32 sums[kRowVectors<V>];
  unroll<kRowVectors<V>>([&](auto v) { sums[v] = V::zero(); });
  // Running addresses: groups can be as short as four turns of their loop.
  const size_t n = group_;
  const size_t step = group_bytes();
  const uint8_t* weights = panels_.data() + at(panel, 0);
  const int16_t* codes = x.codes + r * n_groups_ * n;
  const float* scale = x.scales + r * n_groups_;
  const int32_t* sum_x = x.sums + r * n_groups_;
  for (const float* end = scale + n_groups_; scale < end; ++scale, ++sum_x) {
    const uint8_t* of_group = weights + kPanelColumns * sizeof(float);
    const RowSums<V> products = multiply_group<V, kBits>(of_group, codes, bytes, n, *sum_x);
    unroll<kRowVectors<V>>([&](auto v) {
      const auto scales = V::load(reinterpret_cast<const float*>(weights) + v * V::kLanes);
      sums[v] = add_scaled<V>(sums[v], products[v], scales, *scale);
    });
    weights += step;
    codes += n;
    bytes.low += n;
    bytes.high += n;
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
      auto code =
          V::and_i32(V::shift_pairs_right(w, 4 * i), V::template constant_i32<0x000F000F>());
      if (fifth != nullptr) {
        const auto bit = V::shift_pairs_right(V::load_ints(fifth + c), 4 * i + e);
        code = V::or_i32(code,
                         V::shift_left(V::and_i32(bit, V::template constant_i32<0x00010001>()), 4));
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

// Rows [begin, end) of x, one by one; `memory` has room for a widened panel.
template <class V>
void IntegerPanels::multiply_few(const QuantizedRows& x, size_t begin, size_t end, float* y,
                                 int16_t* memory) const {
  static_assert((kPairRows - 1) * 2 * sizeof(int8_t) <= kPanelColumns * sizeof(int16_t));
  const size_t padded = n_groups_ * group_;
  auto* const bytes = reinterpret_cast<int8_t*>(memory);
  const BytePlanes all{bytes, bytes + (end - begin) * padded};
  if (V::kFastQuads && bits_ != 8) {
    split_codes<V>(x.codes + begin * padded, (end - begin) * padded, all);
  }
  for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
    for (size_t r = begin; r < end; ++r) {
      const size_t at = (r - begin) * padded;
      const BytePlanes of_row{all.low + at, all.high + at};
      float sums[kPanelColumns];
      bits_ == 8   ? multiply_row<V, 8>(panel, x, of_row, r, sums)
      : bits_ == 4 ? multiply_row<V, 4>(panel, x, of_row, r, sums)
                   : multiply_row<V, 5>(panel, x, of_row, r, sums);
      put_results(panel, r, sums, y);
    }
  }
}

// The same, each panel widened and against all of them.
template <class V>
void IntegerPanels::multiply_many(const QuantizedRows& x, size_t begin, size_t end, float* y,
                                  const Widened& widened) const {
  const PairGroups rows{x.codes, x.scales, nullptr, nullptr};
  const PairGroups columns{widened.pairs, widened.scales, nullptr, nullptr};
  for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
    widen<V>(panel, widened);
    for (size_t r = begin; r < end; r += kPairRows) {
      float sums[kPairRows * kPanelColumns];
      const size_t n = std::min(kPairRows, end - r);
      multiply_groups<V>(GroupForm{n_groups_, group_ / 2}, rows, r, n, columns, sums);
      for (size_t i = 0; i < n; ++i) put_results(panel, r + i, sums + i * kPanelColumns, y);
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
    if (end - begin < kPairRows) {
      multiply_few<V>(rows, begin, end, y, pairs);
    } else {
      multiply_many<V>(rows, begin, end, y, Widened{pairs, panel_scales});
    }
  }
}

}  // namespace ambry::kernels
