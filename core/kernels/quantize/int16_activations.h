// Activations quantized to 14-bit codes, stored as int16, with a scale per row. The int8 GEMM
// (int8_gemm.h) uses them where 4-byte dot products are slow: weights are then widened to int16
// pairs, a panel at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/integer_microkernel.h"
#include "kernels/gemm/packed_int8_weights.h"
#include "kernels/quantize/quantize_rows.h"

namespace ambry::kernels {

// Lives in memory of the caller.
class Int16Activations {
 public:
  static constexpr size_t kTileRows = kIntegerTileRows;
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
  void quantize(const float* x) {
    quantize_rows<V>(x, rows_, k_, 1, stride(), max_int16_code(stride()),
                     QuantizedRows{codes_, scales_, sums_});
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

  float* scales_;
  int32_t* sums_;
  int16_t* codes_;
  size_t rows_;
  size_t k_;
};

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
