// Activations quantized to the codes of clip_range.h, stored as int16: outliers, too, fit them. The
// int8 GEMM (int8_gemm.h) uses them where 4-byte dot products are slow: weights are then widened to
// int16 pairs, a panel at a time. The sums are those of Int8Activations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/gemm/layout/integer_microkernel.h"
#include "kernels/gemm/layout/packed_int8_weights.h"
#include "kernels/quantize/clip_range.h"
#include "kernels/quantize/rounding.h"

namespace ambry::kernels {

// Lives in memory of the caller.
class Int16Activations {
 public:
  static constexpr size_t kTileRows = 5;  // 10 of 16 registers for sums
  using Operands = Int16Pairs;

  // Floats of memory for rows of k values.
  [[nodiscard]] static constexpr uint64_t floats(uint64_t rows, size_t k) {
    return 2 * rows + (rows + kPanelColumns) * padded_k(k) * sizeof(int16_t) / sizeof(float);
  }
  // `memory` has floats(rows, k) of them.
  Int16Activations(float* memory, size_t rows, size_t k)
      : scales_(memory),
        sums_(reinterpret_cast<int32_t*>(scales_ + rows)),
        codes_(reinterpret_cast<int16_t*>(sums_ + rows)),
        rows_(rows),
        k_(k) {}

  // x has k values in each row, contiguous.
  template <class V>
  [[gnu::noinline]] void quantize(const float* x) {
    for (size_t r = 0; r < rows_; ++r) quantize_row<V>(x + r * k_, r);
  }

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t row_bytes() const { return stride() * sizeof(int16_t); }
  [[nodiscard]] const int16_t* codes(size_t row) const { return codes_ + row * stride(); }

  // Widens a panel of bytes to pairs. The result is valid until the next call.
  template <class V>
  const int16_t* prepare_panel(const int8_t* panel) const;

  // sums[r][0..8) = rows [row, row + rows) times a panel as floats, from the integer products.
  template <class V>
  void dequantize(size_t row, size_t rows, const int16_t* panel,
                  const PanelQuantization& quantization, const int32_t* products,
                  float* sums) const;

 private:
  [[nodiscard]] size_t stride() const { return padded_k(k_); }
  template <class V>
  void quantize_row(const float* from, size_t r);

  float* scales_;
  int32_t* sums_;
  int16_t* codes_;
  size_t rows_;
  size_t k_;
};

// No step is beyond int16: a value is at most √k times the root mean square.
static_assert(kMaxInt8Columns * kMaxActivationCode * kMaxActivationCode <
              uint64_t{49} * INT16_MAX * INT16_MAX);
static_assert(kClipSpread == 7.0F);

template <class V>
void Int16Activations::quantize_row(const float* from, size_t r) {
  const ClipRange range = clip_range_of_row<V>(from, k_);
  int16_t* codes = codes_ + r * stride();
  auto total = V::splat_i32(0);
  // Without outliers the least and the greatest value may round to 128 steps, one more than bytes
  // have.
  constexpr auto kFarthest = static_cast<float>(INT16_MAX);
  const auto last = range.first + static_cast<float>(kMaxActivationCode);
  const auto from_step = V::splat(range.has_outliers ? -kFarthest : range.first);
  const auto to_step = V::splat(range.has_outliers ? kFarthest : last);
  const auto encode = [&](size_t i, typename V::F32 v) {
    const auto kept = V::min(V::max(V::mul(v, V::splat(range.inverse)), from_step), to_step);
    const auto steps = round_to_i32<V>(kept);
    V::store_i16(codes + i, steps);
    total = V::add_i32(total, steps);
  };
  const size_t whole = k_ / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) encode(i, V::load(from + i));
  if (whole < k_) encode(whole, V::load_partial(from + whole, k_ - whole));
  std::fill(codes + (k_ + V::kLanes - 1) / V::kLanes * V::kLanes, codes + stride(), int16_t{0});
  scales_[r] = range.scale;
  sums_[r] = V::reduce_add_i32(total);
}

template <class V>
const int16_t* Int16Activations::prepare_panel(const int8_t* panel) const {
  int16_t* const pairs = codes_ + rows_ * stride();
  for (size_t i = 0; i < stride(); i += kInt8Block) {
    widen_int8_block<V>(panel + i * kPanelColumns, pairs + i * kPanelColumns);
  }
  return pairs;
}

template <class V>
void Int16Activations::dequantize(size_t row, size_t rows, const int16_t*,
                                  const PanelQuantization& quantization, const int32_t* products,
                                  float* sums) const {
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto dequantized = quantization.dequantizer<V>(c);
    for (size_t r = 0; r < rows; ++r) {
      const size_t at = r * kPanelColumns + c;
      const auto row_sum = static_cast<float>(sums_[row + r]);
      V::store(sums + at, dequantized(V::load_i32(products + at), scales_[row + r], row_sum));
    }
  }
}

}  // namespace ambry::kernels
