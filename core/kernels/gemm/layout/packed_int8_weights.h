// A linear layer's int8 weight [outputs, k] with a scale and a zero point per output, w = (q -
// zero_point) * scale, packed for the int8 GEMM (int8_gemm.h).
//
// Panels have kPanelColumns outputs and are cut into blocks of eight consecutive k. In a block each
// output has two 32-bit lanes: bytes k = 0, 4, 1, 5 and k = 2, 6, 3, 7. Int8Activations packs its
// codes in the same order, because two vectors of codes interleave that way. Int16Activations
// widens the even bytes of a lane to one pair of adjacent k and the odd bytes to another. k is
// padded with zeros. core/kernels/README.md has a picture.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/gemm/layout/read_ahead.h"

namespace ambry::kernels {

inline constexpr size_t kInt8Block = 8;
// The most k for which sums of products of 7-bit codes and int8 weights fit 32 bits.
inline constexpr uint64_t kMaxInt8Columns = uint64_t{1} << 17;

// k rounded up to whole blocks: the bytes of an output, and the codes of a row of activations.
[[nodiscard]] constexpr size_t padded_k(size_t k) {
  return (k + kInt8Block - 1) / kInt8Block * kInt8Block;
}

// Where the weights of element i of a row lie in a panel: the byte offset of the first output's
// lane, and the left shift that brings the byte to the top of a lane.
struct PackedPosition {
  uint32_t lane_offset;
  uint32_t shift;
};

[[nodiscard]] PackedPosition packed_position(size_t i);

// The quantization parameters of a panel, kPanelColumns values each.
struct PanelQuantization {
  const float* scales;
  const float* zero_points;
  const int32_t* code_sums;  // Σ q of each output

  // Returns a function that turns the products of kLanes outputs from c on into floats: from Σ code
  // q, a row's scale and its Σ code it computes row_scale · scale · (Σ code q - zero_point · Σ
  // code).
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

  // `weight` is row-major. `scales` and `zero_points` have one value per output. k is at most
  // kMaxInt8Columns. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedInt8Weights> pack(const int8_t* weight, size_t n, size_t k,
                                                      std::span<const float> scales,
                                                      std::span<const float> zero_points);

  [[nodiscard]] size_t n() const { return n_; }  // outputs
  [[nodiscard]] size_t k() const { return k_; }
  // Heap bytes.
  [[nodiscard]] size_t bytes() const { return panels_.size() + quantization_.size(); }

  [[nodiscard]] const int8_t* panel(size_t i) const {
    assert(i < n_panels(n_));
    return panels_.as<int8_t>().data() + i * panel_size();
  }
  [[nodiscard]] StoredPanels stored() const { return {panels_.data(), panel_size(), n_panels(n_)}; }
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
