// A quantised weight [rows, cols] for products of whole numbers: codes of 8 or 4 bits in panels of
// eight rows whose columns are cut into groups with a scale for each row. Activations become whole
// numbers as well (quantize_rows.h), sums over a group are exact, and groups are added in order, so
// that a result has the same bits for one row of x or many, and in every flavour.
//
// A panel's group is eight scales in f32, then its codes. Of 8 bits, pair after pair of columns,
// each the eight rows' two codes side by side. Of 4 bits, eight columns after another, each as 16
// numbers of 16 bits: number 2r + j holds row r's codes plus 8 of columns j, 2 + j, 4 + j and 6 + j
// from its lowest bit on.
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
// Sums of 256 products fit 32 bits.
inline constexpr size_t kMaxGroup = 256;

// products[0..8) = Σ over n_pairs pairs of x times codes of 8 bits.
template <class V>
void multiply_bytes(const int8_t* codes, const int16_t* x, size_t n_pairs, int32_t* products) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  typename V::I32 sums[kVectors];
  unroll<kVectors>([&](auto v) { sums[v] = V::splat_i32(0); });
  for (size_t i = 0; i < n_pairs; ++i, codes += 2 * kPanelColumns) {
    const auto pair = V::splat_pair(x + 2 * i);
    unroll<kVectors>([&](auto v) {
      const auto weights = V::load_byte_pairs(codes + 2 * v * V::kLanes);
      sums[v] = V::add_i32(sums[v], V::dot_pairs(weights, pair));
    });
  }
  unroll<kVectors>([&](auto v) { V::store_ints(products + v * V::kLanes, sums[v]); });
}

// The same for codes of 4 bits and n_eights times eight columns; `sum_x` is the sum of x. A code
// needs no shift to its place: its products are 2^4 or 2^8 times too large until their sum is
// known.
template <class V>
void multiply_nibbles(const int32_t* codes, const int16_t* x, size_t n_eights, int32_t sum_x,
                      int32_t* products) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  typename V::I32 sums[kVectors];
  typename V::I32 sums4[kVectors];
  typename V::I32 sums8[kVectors];
  unroll<kVectors>([&](auto v) { sums[v] = sums4[v] = sums8[v] = V::splat_i32(0); });
  const auto first = V::splat_i32(0x000F000F);
  const auto second = V::splat_i32(0x00F000F0);
  const auto third = V::splat_i32(0x0F000F00);
  for (size_t i = 0; i < n_eights; ++i, x += 8, codes += kPanelColumns) {
    unroll<kVectors>([&](auto v) {
      const auto w = V::load_ints(codes + v * V::kLanes);
      const auto add = [&](auto& to, auto weights, size_t at) {
        to = V::add_i32(to, V::dot_pairs(weights, V::splat_pair(x + at)));
      };
      add(sums[v], V::and_i32(w, first), 0);
      add(sums4[v], V::and_i32(w, second), 2);
      add(sums8[v], V::and_i32(w, third), 4);
      add(sums[v], V::shift_pairs_right(w, 12), 6);
    });
  }
  const auto excess = V::splat_i32(8 * sum_x);
  unroll<kVectors>([&](auto v) {
    auto sum = V::add_i32(sums[v], V::shift_right(sums4[v], 4));
    sum = V::add_i32(sum, V::shift_right(sums8[v], 8));
    V::store_ints(products + v * V::kLanes, V::sub_i32(sum, excess));
  });
}

class IntegerPanels {
 public:
  IntegerPanels() = default;

  // Whether a weight of this type, whose rows have blocks of `block` numbers (0: one), has this
  // form.
  [[nodiscard]] static bool can_hold(tensor::DType dtype, uint64_t block, uint64_t cols) {
    return group_size(dtype, block, cols) != 0;
  }
  // can_hold() is true. LimitExceeded when the heap is full.
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

  // Room for one panel as pair_products.h wants it.
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
  void put_row(const tensor::StoredValues& stored, size_t r, std::span<float> codes);

  template <class V>
  void multiply_row(size_t panel, const QuantizedRows& x, size_t r, float* sums) const;
  template <class V>
  void widen(size_t panel, int16_t* pairs, float* scales) const;
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

template <class V>
void IntegerPanels::multiply_row(size_t panel, const QuantizedRows& x, size_t r,
                                 float* sums) const {
  std::fill_n(sums, kPanelColumns, 0.0F);
  const PairGroups rows{x.codes, x.scales, nullptr, nullptr};
  for (size_t g = 0; g < n_groups_; ++g) {
    const size_t i = r * n_groups_ + g;
    const Group weights = group(panel, g);
    int32_t products[kPanelColumns];
    if (bits_ == 8) {
      multiply_bytes<V>(reinterpret_cast<const int8_t*>(weights.codes), x.codes + i * group_,
                        group_ / 2, products);
    } else {
      multiply_nibbles<V>(reinterpret_cast<const int32_t*>(weights.codes), x.codes + i * group_,
                          group_ / 8, x.sums[i], products);
    }
    add_group<V>(rows, i, PairGroups{nullptr, weights.scales, nullptr, nullptr}, 0, products, sums);
  }
}

// A panel as pair_products.h wants it.
template <class V>
void IntegerPanels::widen(size_t panel, int16_t* pairs, float* scales) const {
  constexpr size_t kStep = 2 * V::kLanes;
  const auto nibble = V::splat_i32(0x000F000F);
  const auto eights = V::splat_i32(0x00080008);
  for (size_t g = 0; g < n_groups_; ++g, scales += kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, scales);
    const int16_t* end = pairs + group_ * kPanelColumns;
    if (bits_ == 8) {
      const auto* codes = reinterpret_cast<const int8_t*>(from.codes);
      for (; pairs < end; pairs += kStep, codes += kStep) {
        V::store_pairs(pairs, V::load_byte_pairs(codes));
      }
      continue;
    }
    const auto* codes = reinterpret_cast<const int32_t*>(from.codes);
    for (; pairs < end; pairs += 8 * kPanelColumns, codes += kPanelColumns) {
      for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
        const auto w = V::load_ints(codes + c);
        unroll<4>([&](auto i) {
          const auto code = V::and_i32(V::shift_pairs_right(w, 4 * i), nibble);
          V::store_pairs(pairs + 2 * (i * kPanelColumns + c), V::sub_pairs(code, eights));
        });
      }
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
  if (!few) widen<V>(panel, widened.pairs, widened.scales);
  const PairGroups rows{x.codes, x.scales, nullptr, nullptr};
  const PairGroups columns{widened.pairs, widened.scales, nullptr, nullptr};
  for (size_t r = begin; r < end;) {
    float sums[kPairRows * kPanelColumns];
    const size_t n = few ? 1 : std::min(kPairRows, end - r);
    if (few) {
      multiply_row<V>(panel, x, r, sums);
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
