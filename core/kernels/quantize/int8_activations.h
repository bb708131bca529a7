// Activations quantized to 7-bit codes (clip_range.h), stored as bytes for 4-byte dot products
// (integer_microkernel.h). Outliers are stored beside them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/unroll.h"
#include "kernels/gemm/layout/integer_microkernel.h"
#include "kernels/gemm/layout/packed_int8_weights.h"
#include "kernels/quantize/clip_range.h"
#include "kernels/quantize/rounding.h"

namespace ambry::kernels {

// An outlier: the position of its weights in a panel, and the steps that its code lacks.
class Outlier {
 public:
  Outlier(PackedPosition position, int32_t steps)
      : place_(position.lane_offset | position.shift), steps_(steps) {}

  [[nodiscard]] uint32_t lane_offset() const { return place_ & ~kShiftMask; }
  [[nodiscard]] uint32_t shift() const { return place_ & kShiftMask; }
  [[nodiscard]] int32_t steps() const { return steps_; }

 private:
  // Lanes of a panel lie 32 bytes apart, and shifts are below 32.
  static constexpr uint32_t kShiftMask = 31;
  static_assert(kPanelColumns * sizeof(uint32_t) == kShiftMask + 1);

  uint32_t place_;
  int32_t steps_;
};

// Lives in memory of the caller.
class Int8Activations {
 public:
  static constexpr size_t kTileRows = 6;  // 12 of 16 registers for sums
  using Operands = Uint8ByInt8;

  // Floats of memory for rows of k values.
  [[nodiscard]] static constexpr uint64_t floats(uint64_t rows, size_t k) {
    return rows * (sizeof(RowParameters) + max_outliers(k) * sizeof(Outlier) + padded_k(k)) /
           sizeof(float);
  }
  // `memory` has floats(rows, k) of them.
  Int8Activations(float* memory, size_t rows, size_t k)
      : parameters_(reinterpret_cast<RowParameters*>(memory)),
        outliers_(reinterpret_cast<Outlier*>(parameters_ + rows)),
        codes_(reinterpret_cast<uint8_t*>(outliers_ + rows * max_outliers(k))),
        rows_(rows),
        k_(k) {}

  // x has k values in each row, contiguous.
  template <class V>
  [[gnu::noinline]] void quantize(const float* x);

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t row_bytes() const { return padded_k(k_); }

  [[nodiscard]] const uint8_t* codes(size_t row) const { return codes_ + row * row_bytes(); }

  // The products read packed int8 panels as they are.
  template <class V>
  [[nodiscard]] const int8_t* prepare_panel(const int8_t* panel) const {
    return panel;
  }
  // sums[r][0..8) = rows [row, row + rows) times the panel as floats. Starts from the products of
  // the codes, to which it adds the outliers.
  template <class V>
  void dequantize(size_t row, size_t rows, const int8_t* panel,
                  const PanelQuantization& quantization, int32_t* products, float* sums) const;

 private:
  // What dequantize() needs of a row.
  struct RowParameters {
    float scale;
    int32_t sum;  // of all steps
    int32_t first;
    uint32_t n_outliers;
  };

  // At most one value in 12 lies beyond half the range, 3.5 times the root mean square.
  // Rounding may add a few.
  static constexpr size_t max_outliers(size_t k) { return k / 8 + 1; }
  static_assert(kClipSpread == 7.0F);

  template <class V>
  void quantize_row(const float* from, size_t r);
  template <class V>
  void add_outliers(size_t r, const int8_t* panel, int32_t* products) const;
  void store_outliers(const float* from, const ClipRange& range, size_t r);

  RowParameters* parameters_;
  Outlier* outliers_;
  uint8_t* codes_;
  size_t rows_;
  size_t k_;
};

// Quantizes a row block by block, kInt8Block values at a time.
template <class V>
class RowQuantizer {
 public:
  explicit RowQuantizer(const ClipRange& range)
      : inverse_(V::splat(range.inverse)),
        first_(V::splat(range.first)),
        last_(V::splat(range.first + static_cast<float>(kMaxActivationCode))),
        first_step_(V::splat_i32(static_cast<int32_t>(range.first))),
        total_(V::splat_i32(0)) {}

  // Writes two bytes of each lane, in the order of packed_int8_weights.h.
  void block(const float* from, uint8_t* to) {
    constexpr size_t kHalf = kInt8Block / 2;
    for (size_t i = 0; i < kHalf; i += V::kLanes) {
      const auto lower = code(from + i);
      const auto upper = code(from + kHalf + i);
      const auto both = V::or_i32(lower, V::shift_left(upper, 8));
      V::store_i16(reinterpret_cast<int16_t*>(to) + i, both);
    }
  }
  // The sum of the steps inside the range.
  [[nodiscard]] int32_t sum() const { return V::reduce_add_i32(total_); }

 private:
  [[nodiscard]] typename V::I32 code(const float* from) {
    const auto steps = V::mul(V::load(from), inverse_);
    const auto kept = round_to_i32<V>(V::min(V::max(steps, first_), last_));
    total_ = V::add_i32(total_, kept);
    return V::sub_i32(kept, first_step_);
  }

  typename V::F32 inverse_;
  typename V::F32 first_;
  typename V::F32 last_;
  typename V::I32 first_step_;
  typename V::I32 total_;
};

template <class V>
void Int8Activations::quantize_row(const float* from, size_t r) {
  const ClipRange range = clip_range_of_row<V>(from, k_);
  uint8_t* codes = codes_ + r * row_bytes();
  RowQuantizer<V> encoder(range);
  for (size_t i = 0; i < k_; i += kInt8Block) {
    float rest[kInt8Block] = {};
    const bool whole = k_ - i >= kInt8Block;
    if (!whole) std::copy(from + i, from + k_, rest);
    encoder.block(whole ? from + i : rest, codes + i);
  }
  parameters_[r] = {range.scale, encoder.sum(), static_cast<int32_t>(range.first), 0};
  if (range.has_outliers) store_outliers(from, range, r);
}

template <class V>
void Int8Activations::quantize(const float* x) {
  for (size_t r = 0; r < rows_; ++r) quantize_row<V>(x + r * k_, r);
}

// Adds the outliers of row r to its sums of products.
template <class V>
[[gnu::noinline]] void Int8Activations::add_outliers(size_t r, const int8_t* panel,
                                                     int32_t* products) const {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  typename V::I32 sums[kVectors];
  unroll<kVectors, kLoopOverVectors<V>>(
      [&](auto v) { sums[v] = V::load_i32(products + v * V::kLanes); });
  const Outlier* outlier = outliers_ + r * max_outliers(k_);
  for (const Outlier* end = outlier + parameters_[r].n_outliers; outlier < end; ++outlier) {
    const int8_t* lanes = panel + outlier->lane_offset();
    const uint32_t shift = outlier->shift();
    const auto steps = V::splat_i32(outlier->steps());
    unroll<kVectors, kLoopOverVectors<V>>([&](auto v) {
      const auto lane = V::load_i8x4(lanes + 4 * v * V::kLanes);
      const auto weight = V::shift_right(V::shift_left(lane, shift), 24);
      sums[v] = V::add_i32(sums[v], V::mul_i32(weight, steps));
    });
  }
  unroll<kVectors, kLoopOverVectors<V>>(
      [&](auto v) { V::store_i32(products + v * V::kLanes, sums[v]); });
}

template <class V>
void Int8Activations::dequantize(size_t row, size_t rows, const int8_t* panel,
                                 const PanelQuantization& quantization, int32_t* products,
                                 float* sums) const {
  const RowParameters* parameters = parameters_ + row;
  for (size_t r = 0; r < rows; ++r) {
    if (parameters[r].n_outliers > 0) add_outliers<V>(row + r, panel, products + r * kPanelColumns);
  }
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto column_sums = V::load_i32(quantization.code_sums + c);
    const auto dequantized = quantization.dequantizer<V>(c);
    for (size_t r = 0; r < rows; ++r) {
      const size_t at = r * kPanelColumns + c;
      const auto first = V::mul_i32(column_sums, V::splat_i32(parameters[r].first));
      const auto steps = V::add_i32(V::load_i32(products + at), first);
      const auto row_sum = static_cast<float>(parameters[r].sum);
      V::store(sums + at, dequantized(steps, parameters[r].scale, row_sum));
    }
  }
}

}  // namespace ambry::kernels
