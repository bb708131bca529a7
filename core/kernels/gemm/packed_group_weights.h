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
// 16 bits. One row of x is multiplied straight from the codes; for several, each panel is unpacked
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

// Sums over so many columns fit 32 bits, also at their places, of codes of up to 4 and of 5 bits.
inline constexpr size_t kMaxGroup = 256;
inline constexpr size_t kMaxGroupOf5 = 128;
class PackedGroupWeights {
 public:
  PackedGroupWeights() = default;

  // Whether a weight of this type, whose rows have blocks of `block` numbers (0: one), has this
  // form.
  [[nodiscard]] static bool supports(tensor::DType dtype, uint64_t block, uint64_t cols) {
    return group_size(dtype, block, cols) != 0;
  }
  // supports() is true. What bytes() of the packed weight will be.
  [[nodiscard]] static uint64_t bytes_of(tensor::DType dtype, uint64_t block, uint64_t rows,
                                         uint64_t cols);
  // The same; `int14`: activations become codes of 14 bits. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedGroupWeights> pack(const tensor::StoredValues& stored,
                                                       tensor::DType dtype, uint64_t block,
                                                       size_t rows, size_t cols, bool int14);

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
  struct UnpackedPairs {
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

  template <class V, class GroupSums>
  void multiply_row(size_t panel, const float* x_scales, GroupSums group_sums, float* to) const;
  template <class V>
  void unpack_int16(size_t panel, const UnpackedPairs& to) const;
  template <class V, uint32_t kBits>
  void unpack_int8(size_t panel, int32_t flip, uint8_t* bytes, float* scales) const;
  template <class V>
  void multiply_row_int16(size_t panel, const QuantizedRows& x, size_t r, float* to) const;
  template <class V, uint32_t kBits, bool kInt14>
  void multiply_row_int8(size_t panel, const Int8Rows& x, size_t r, int32_t flip, float* to) const;
  template <class Multiply>
  void multiply_each_row(size_t n, float* y, const Multiply& multiply) const;
  template <class V>
  void multiply_rows_int16(const QuantizedRows& x, size_t begin, size_t end, float* y,
                           const UnpackedPairs& unpacked) const;
  template <class V, uint32_t kBits>
  void multiply_rows_int8(const Int8Rows& x, size_t begin, size_t end, int32_t flip, float* y,
                          const UnpackedPairs& unpacked) const;
  template <class V>
  [[nodiscard]] bool try_multiply_int8(const QuantizedRows& x, size_t n, float* y,
                                       const UnpackedPairs& unpacked) const;
  // Row r of y has a number for each row of the weight. Of a known count, copying is two moves, and
  // else a call.
  void store_results(size_t panel, size_t r, const float* sums, float* y) const {
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
  bool int14_ = false;
  AlignedBuffer panels_;
};

}  // namespace ambry::kernels
