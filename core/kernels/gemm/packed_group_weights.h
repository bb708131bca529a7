// A quantised weight [rows, cols] for products of whole numbers: codes of 8, 4 or 5 bits in panels
// of eight rows whose columns are cut into groups with a scale for each row. Activations become
// codes of 8 bits (quantize_rows.h), sums over a group are exact, and groups are added in order, so
// that a result has the same bits for one row of x or many, in every flavour, on every machine.
//
// A panel's group is eight scales in f32, then its codes. Of 8 bits, eight columns after another,
// the eight rows' codes of columns 0, 4, 1 and 5, then those of columns 2, 6, 3 and 7. Of 4 bits,
// eight columns after another, each as 16 numbers of 16 bits: number 2r + j holds row r's codes
// plus 8 of columns j, 2 + j, 4 + j and 6 + j from its lowest bit on. Of 5 bits, codes plus 16, the
// lower 4 bits lie the same way; after 32 columns come 16 more numbers, whose bits 4i + e are the
// fifth bits of columns 8e + 2i + j.
//
// Where four bytes are multiplied at once, both sides are bytes (group_panel_int8.h), else pairs of
// 16 bits. One row of x is multiplied straight from the codes; for several, each panel is widened
// once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/gemm/group_panel_int16.h"
#include "kernels/gemm/group_panel_int8.h"
#include "kernels/gemm/group_tile_int16.h"
#include "kernels/quantize/quantize_rows.h"
#include "tensor/codec/stored_values.h"

namespace ambry::kernels {

// Bytes of quantised activations that one block of rows may take, about half of a small L2 cache.
inline constexpr size_t kCodeBlockBytes = size_t{192} * 1024;

// use(begin, end) for such blocks of n rows.
template <class Use>
void in_blocks(size_t n, size_t row_bytes, const Use& use) {
  const size_t block = std::max(kCodeBlockBytes / row_bytes, 4 * kByteTileRows);
  for (size_t begin = 0; begin < n; begin += block) use(begin, std::min(begin + block, n));
}

// Sums over so many columns fit 32 bits, also at their places, of codes of up to 4 and of 5 bits.
inline constexpr size_t kMaxGroup = 256;
inline constexpr size_t kMaxGroupOf5 = 128;
// Of activations, where they are not fine.
inline constexpr float kLargestCode = 127.0F;

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
  // The same; `fine`: activations become codes of 14 bits. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<IntegerPanels> pack(const tensor::StoredValues& stored,
                                                  tensor::DType dtype, uint64_t block, size_t rows,
                                                  size_t cols, bool fine);

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

  // One panel as group_tile_int16.h wants it.
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

  // use(kBits)
  template <class Use>
  void with_bits(const Use& use) const {
    if (bits_ == 8) return use(std::integral_constant<uint32_t, 8>());
    if (bits_ == 4) return use(std::integral_constant<uint32_t, 4>());
    use(std::integral_constant<uint32_t, 5>());
  }

  template <class V, class Products>
  void multiply_row(size_t panel, const float* x_scales, Products products, float* to) const;
  template <class V>
  void widen(size_t panel, const Widened& to) const;
  template <class V, uint32_t kBits>
  void put_bytes(size_t panel, int32_t flip, uint8_t* bytes, float* scales) const;
  template <class V>
  void multiply_row_by_pairs(size_t panel, const QuantizedRows& x, size_t r, float* to) const;
  template <class V, uint32_t kBits, bool kFine>
  void multiply_row_by_bytes(size_t panel, const ByteRows& x, size_t r, int32_t flip,
                             float* to) const;
  template <class Multiply>
  void multiply_rows(size_t n, float* y, const Multiply& multiply) const;
  template <class V>
  void multiply_pairs(const QuantizedRows& x, size_t begin, size_t end, float* y,
                      const Widened& widened) const;
  template <class V, uint32_t kBits>
  void multiply_bytes(const ByteRows& x, size_t begin, size_t end, int32_t flip, float* y,
                      const Widened& widened) const;
  template <class V>
  [[nodiscard]] bool multiply_by_bytes(const QuantizedRows& x, size_t n, float* y,
                                       const Widened& widened) const;
  // Row r of y has a number for each row of the weight. Of a known count, copying is two moves, and
  // else a call.
  void put_results(size_t panel, size_t r, const float* sums, float* y) const {
    const size_t first = panel * kPanelColumns;
    float* to = y + r * rows_ + first;
    if (first + kPanelColumns <= rows_) {
      std::copy_n(sums, kPanelColumns, to);
    } else {
      std::copy_n(sums, rows_ - first, to);
    }
  }

  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t n_groups_ = 0;
  size_t group_ = 0;  // numbers in a group; the last one is filled up with zeros
  uint32_t bits_ = 8;
  bool fine_ = false;
  AlignedBuffer panels_;
};

// Row sums of a panel: `products` gives those of the next group from its codes.
template <class V, class Products>
[[gnu::always_inline]] inline void IntegerPanels::multiply_row(size_t panel, const float* x_scales,
                                                               Products products, float* to) const {
  typename V::F32 sums[kRowVectors<V>];
  unroll<kRowVectors<V>>([&](auto v) { sums[v] = V::zero(); });
  // Running addresses: groups can be as short as four turns of their loop.
  const size_t step = group_bytes();
  const uint8_t* weights = panels_.data() + at(panel, 0);
  for (const float* end = x_scales + n_groups_; x_scales < end; ++x_scales, weights += step) {
    const auto* scales = reinterpret_cast<const float*>(weights);
    const RowSums<V> totals = products(reinterpret_cast<const int32_t*>(scales + kPanelColumns));
    unroll<kRowVectors<V>>([&](auto v) {
      sums[v] = add_scaled<V>(sums[v], totals[v], V::load(scales + v * V::kLanes), *x_scales);
    });
  }
  unroll<kRowVectors<V>>([&](auto v) { V::store(to + v * V::kLanes, sums[v]); });
}

// Only codes of 8 bits come here where products of bytes are fast.
template <class V>
void IntegerPanels::multiply_row_by_pairs(size_t panel, const QuantizedRows& x, size_t r,
                                          float* to) const {
  with_bits([&](auto bits) {
    const int16_t* codes = x.codes + r * n_groups_ * group_;
    const int32_t* sum_x = x.sums + r * n_groups_;
    const auto products = [&, n = group_](const int32_t* weights) {
      const int16_t* from = codes;
      codes += n;
      const int32_t sum = *sum_x++;
      if constexpr (bits == 8 || V::kFastQuads) {
        return multiply_eights_by_pairs<V>(weights, from, n);
      } else if constexpr (bits == 4) {
        return multiply_fours_by_pairs<V>(weights, from, n, sum);
      } else {
        return multiply_fives_by_pairs<V>(weights, from, n, sum);
      }
    };
    multiply_row<V>(panel, x.scales + r * n_groups_, products, to);
  });
}

template <class V, uint32_t kBits, bool kFine>
[[gnu::noinline]] void IntegerPanels::multiply_row_by_bytes(size_t panel, const ByteRows& x,
                                                            size_t r, int32_t flip,
                                                            float* to) const {
  const size_t step = kFine ? 2 * group_ : group_;
  const int8_t* codes = x.codes + r * n_groups_ * step;
  const int32_t* start = x.starts + r * n_groups_;
  const auto products = [&, n = group_](const int32_t* weights) {
    const int8_t* from = codes;
    codes += step;
    return kernels::multiply_by_bytes<V, kBits, kFine>(weights, from, n, *start++, flip);
  };
  multiply_row<V>(panel, x.scales + r * n_groups_, products, to);
}

template <class V>
void IntegerPanels::widen(size_t panel, const Widened& to) const {
  int16_t* pairs = to.pairs;
  for (size_t g = 0; g < n_groups_; ++g, pairs += group_ * kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, to.scales + g * kPanelColumns);
    const auto* words = reinterpret_cast<const int32_t*>(from.codes);
    if (bits_ == 8) {
      for (size_t i = 0; i < group_; i += 8) {
        widen_byte_block<V>(words + 2 * i, pairs + i * kPanelColumns);
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

// A panel's codes as bytes that are turned over by `flip`.
template <class V, uint32_t kBits>
[[gnu::noinline]] void IntegerPanels::put_bytes(size_t panel, int32_t flip, uint8_t* bytes,
                                                float* scales) const {
  for (size_t g = 0; g < n_groups_; ++g, bytes += group_ * kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, scales + g * kPanelColumns);
    const auto put = [&](auto v, size_t i, auto half, typename V::I32 four) {
      V::store_quads(bytes + (i + half) * kPanelColumns + 4 * v * V::kLanes, four);
    };
    for_bytes<V, kBits>(reinterpret_cast<const int32_t*>(from.codes), group_, flip, put);
  }
}

// Each of n rows by itself: multiply(panel, row, to).
template <class Multiply>
void IntegerPanels::multiply_rows(size_t n, float* y, const Multiply& multiply) const {
  float sums[kPanelColumns];
  for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
    for (size_t r = 0; r < n; ++r) {
      multiply(panel, r, sums);
      put_results(panel, r, sums, y);
    }
  }
}

// Rows [begin, end) of x against widened panels.
template <class V>
void IntegerPanels::multiply_pairs(const QuantizedRows& x, size_t begin, size_t end, float* y,
                                   const Widened& widened) const {
  const PairGroups rows{x.codes, x.scales, nullptr, nullptr};
  const PairGroups columns{widened.pairs, widened.scales, nullptr, nullptr};
  float sums[kPairRows * kPanelColumns];
  for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
    widen<V>(panel, widened);
    for (size_t r = begin; r < end; r += kPairRows) {
      const size_t n = std::min(kPairRows, end - r);
      multiply_groups<V>(GroupForm{n_groups_, group_ / 2}, rows, r, n, columns, sums);
      for (size_t i = 0; i < n; ++i) put_results(panel, r + i, sums + i * kPanelColumns, y);
    }
  }
}

// The same in bytes, at least six rows. The last tile takes rows of the one before it again.
template <class V, uint32_t kBits>
void IntegerPanels::multiply_bytes(const ByteRows& x, size_t begin, size_t end, int32_t flip,
                                   float* y, const Widened& widened) const {
  auto* const bytes = reinterpret_cast<uint8_t*>(widened.pairs);
  const PanelBytes columns{bytes, widened.scales};
  float sums[kByteTileRows * kPanelColumns];
  for (size_t panel = 0; panel < n_panels(rows_); ++panel) {
    put_bytes<V, kBits>(panel, flip, bytes, widened.scales);
    for (size_t r = begin; r < end; r += kByteTileRows) {
      const size_t first = std::min(r, end - kByteTileRows);
      multiply_byte_tile<V>(x, first, n_groups_, group_, columns, sums);
      for (size_t i = 0; i < kByteTileRows; ++i) {
        put_results(panel, first + i, sums + i * kPanelColumns, y);
      }
    }
  }
}

// Whether that is possible: fine codes of many rows are faster as pairs.
template <class V>
bool IntegerPanels::multiply_by_bytes(const QuantizedRows& x, size_t n, float* y,
                                      const Widened& widened) const {
  const bool few = n < kByteTileRows;
  const auto reading = byte_reading<V>(bits_);
  if (!reading || (fine_ && !few)) return false;
  const size_t padded = n_groups_ * group_;
  const int32_t flip = reading->flip;
  const ByteRows rows = narrow_rows<V>(x, n * padded, n * n_groups_, reading->excess, fine_);
  with_bits([&](auto bits) {
    if (few) {
      return multiply_rows(n, y, [&](size_t panel, size_t r, float* to) {
        fine_ ? multiply_row_by_bytes<V, bits, true>(panel, rows, r, flip, to)
              : multiply_row_by_bytes<V, bits, false>(panel, rows, r, flip, to);
      });
    }
    in_blocks(n, padded, [&](size_t begin, size_t end) {
      multiply_bytes<V, bits>(rows, begin, end, flip, y, widened);
    });
  });
  return true;
}

template <class V>
void IntegerPanels::multiply(const float* x, size_t n, float* y, std::span<float> scratch) const {
  const size_t padded = n_groups_ * group_;
  float* scales = scratch.data();
  auto* sums = reinterpret_cast<int32_t*>(scales + n * n_groups_);
  auto* codes = reinterpret_cast<int16_t*>(sums + n * n_groups_);
  auto* panel_scales = reinterpret_cast<float*>(codes + n * padded);
  auto* pairs = reinterpret_cast<int16_t*>(panel_scales + n_groups_ * kPanelColumns);
  const Widened widened{pairs, panel_scales};
  const QuantizedRows rows{codes, scales, sums};
  const float limit = fine_ ? code_limit(group_) : kLargestCode;
  quantize_rows<V>(x, n, cols_, n_groups_, group_, limit, rows);
  if constexpr (V::kFastQuads) {
    if (multiply_by_bytes<V>(rows, n, y, widened)) return;
  }
  if (n < kPairRows) {
    return multiply_rows(n, y, [&](size_t panel, size_t r, float* to) {
      multiply_row_by_pairs<V>(panel, rows, r, to);
    });
  }
  in_blocks(n, padded * sizeof(int16_t),
            [&](size_t begin, size_t end) { multiply_pairs<V>(rows, begin, end, y, widened); });
}

}  // namespace ambry::kernels
