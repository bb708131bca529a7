// A linear layer's int8 weight [outputs, k], w = (q - zero point) * scale, for products of whole
// numbers (int8_gemm.h).
//
// Panels of kPanelColumns outputs. A panel is cut into blocks of eight numbers of k, a block into
// two lanes of four bytes for each output: numbers 0, 4, 1, 5 and 2, 6, 3, 7. That is how codes of
// bytes come out of two vectors (int8_activations.h), and the even bytes of a lane are two adjacent
// numbers, the odd ones two others, of which widened panels consist. k is filled up with zeros.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/gemm/packed_f32_matrix.h"

namespace ambry::kernels {

inline constexpr size_t kInt8Block = 8;
// Sums over rows so long, of codes of 7 bits and a sign, fit 32 bits.
inline constexpr uint64_t kMaxInt8Columns = uint64_t{1} << 17;

// Bytes of an output, or codes of a row, of k numbers: with those that fill it up.
[[nodiscard]] constexpr size_t padded_k(size_t k) {
  return (k + kInt8Block - 1) / kInt8Block * kInt8Block;
}

// Where number i of a row meets those of a panel's outputs: bytes from the panel's beginning to the
// lane of its first output, and what shifts the byte to the top of its lane.
struct PackedPosition {
  uint32_t lane_offset;
  uint32_t shift;
};

[[nodiscard]] PackedPosition packed_position(size_t i);

// kPanelColumns numbers each, for the outputs of a panel.
struct PanelQuantization {
  const float* scales;
  const float* zero_points;
  const int32_t* code_sums;  // of an output's codes

  // A function of Σ code q, a row's scale and Σ code that gives Σ x w = row scale · scale ·
  // (Σ code q - zero point · Σ code), of kLanes outputs from c on.
  template <class V>
  [[nodiscard]] auto dequantizer(size_t c) const {
    return [zero_point = V::load(zero_points + c), scale = V::load(scales + c)](
               typename V::I32 products, float row_scale, float row_sum) {
      const auto zero = V::mul(zero_point, V::splat(row_sum));
      return V::mul(V::sub(V::to_f32(products), zero), V::mul(scale, V::splat(row_scale)));
    };
  }
};

class PackedInt8Weights {
 public:
  PackedInt8Weights() = default;

  // `weight` is row-major; `scales` and `zero_points` have one number for each output. k is at most
  // kMaxInt8Columns. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedInt8Weights> pack(const int8_t* weight, size_t n, size_t k,
                                                      std::span<const float> scales,
                                                      std::span<const float> zero_points);

  [[nodiscard]] size_t n() const { return n_; }  // outputs
  [[nodiscard]] size_t k() const { return k_; }
  // Heap bytes held.
  [[nodiscard]] size_t bytes() const { return panels_.size() + quantization_.size(); }

  [[nodiscard]] const int8_t* panel(size_t i) const {
    assert(i < n_panels(n_));
    return panels_.as<int8_t>().data() + i * panel_size();
  }
  [[nodiscard]] PanelQuantization quantization(size_t i) const {
    const size_t at = i * kParameters * kPanelColumns;
    const float* from = quantization_.as<float>().data() + at;
    return {from, from + kPanelColumns,
            quantization_.as<int32_t>().data() + at + 2 * kPanelColumns};
  }

 private:
  static constexpr size_t kParameters = 3;

  [[nodiscard]] size_t panel_size() const { return padded_k(k_) * kPanelColumns; }
  void pack_output(size_t output, const int8_t* row, float scale, float zero_point);
  void sum_panel(size_t i);

  size_t n_ = 0;
  size_t k_ = 0;
  AlignedBuffer panels_;
  AlignedBuffer quantization_;
};

}  // namespace ambry::kernels
