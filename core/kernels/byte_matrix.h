// A linear layer's int8 weight [outputs, k], w = (q - zero point) * scale, for products of whole
// numbers (byte_gemm.h).
//
// Panels of kPanelColumns outputs. A panel is cut into blocks of eight numbers of k, a block into
// two lanes of four bytes for each output: numbers 0, 4, 1, 5 and 2, 6, 3, 7. The even bytes of a
// lane are two adjacent numbers and the odd ones two others, which meet pairs of a row's codes
// (row_codes.h). k is filled up with zeros.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/packed_matrix.h"

namespace ambry::kernels {

inline constexpr size_t kByteBlock = 8;
// Rows so long still have codes of 7 bits and a sign whose sums fit 32 (row_codes.h).
inline constexpr uint64_t kMaxByteColumns = uint64_t{1} << 17;

// Bytes of an output, or codes of a row, of k numbers: with those that fill it up.
[[nodiscard]] constexpr size_t byte_stride(size_t k) {
  return (k + kByteBlock - 1) / kByteBlock * kByteBlock;
}

// kPanelColumns numbers each, for the outputs of a panel.
struct ByteColumns {
  const float* scales;
  const float* zero_points;
};

class ByteMatrix {
 public:
  ByteMatrix() = default;

  // `weight` is row-major; `scales` and `zero_points` have one number for each output. k is at most
  // kMaxByteColumns. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<ByteMatrix> pack(const int8_t* weight, size_t n, size_t k,
                                               std::span<const float> scales,
                                               std::span<const float> zero_points);

  [[nodiscard]] size_t n() const { return n_; }  // outputs
  [[nodiscard]] size_t k() const { return k_; }
  // Heap bytes held.
  [[nodiscard]] size_t bytes() const { return panels_.size() + columns_.size(); }

  [[nodiscard]] const int8_t* panel(size_t i) const {
    assert(i < n_panels(n_));
    return panels_.as<int8_t>().data() + i * panel_size();
  }
  [[nodiscard]] ByteColumns columns(size_t i) const {
    const float* from = columns_.as<float>().data() + i * 2 * kPanelColumns;
    return {from, from + kPanelColumns};
  }

 private:
  [[nodiscard]] size_t panel_size() const { return byte_stride(k_) * kPanelColumns; }
  void pack_output(size_t output, const int8_t* row, float scale, float zero_point);

  size_t n_ = 0;
  size_t k_ = 0;
  AlignedBuffer panels_;
  AlignedBuffer columns_;
};

}  // namespace ambry::kernels
