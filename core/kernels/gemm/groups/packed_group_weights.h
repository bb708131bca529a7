// Group-quantized weights [rows, cols]: 8-bit, 4-bit or 5-bit codes with a scale for each group of
// columns of each row, packed in panels of eight rows. group_gemm.h multiplies them by quantized
// activations (quantize_rows.h). Sums over a group are exact and groups are added in order, so a
// result has the same bits for one row of x or many, in every build, on every machine.
//
// A panel stores, group after group, eight f32 scales and then the group's codes.
// core/kernels/README.md has pictures. Minima of groups, where the type has them, are kept apart:
// a product adds each of them times the sum of the group's activations.
//
// 8 bits: for every eight columns, the codes of columns 0, 4, 1, 5 of each of the eight rows, then
// those of columns 2, 6, 3, 7.
//
// 4 bits: for every eight columns, 16 words of 16 bits. Word 2r + j holds, from its lowest bit on,
// row r's codes plus 8 of columns j, 2 + j, 4 + j and 6 + j.
//
// 5 bits: codes plus 16. The lower 4 bits lie as above. After every 32 columns come 16 more words,
// whose bits 4i + e are the fifth bits of columns 8e + 2i + j.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/gemm/groups/group_panel_int16.h"
#include "kernels/gemm/groups/group_panel_int8.h"
#include "kernels/gemm/groups/group_tile_int16.h"
#include "kernels/gemm/layout/panels_ahead.h"
#include "kernels/quantize/quantize_rows.h"
#include "tensor/codec/stored_values.h"

namespace ambry::kernels {

// The most columns of a group for which sums fit 32 bits, shifted codes included: up to 4 bits, and
// 5.
inline constexpr size_t kMaxGroup = 256;
inline constexpr size_t kMaxGroupOf5 = 128;
class PackedGroupWeights {
 public:
  PackedGroupWeights() = default;

  // Whether a weight of this type can be packed so. Its rows have blocks of `block` values; 0: one
  // block.
  [[nodiscard]] static bool supports(tensor::DType dtype, uint64_t block, uint64_t cols) {
    return group_size(dtype, block, cols) != 0;
  }
  // What bytes() of the packed weight will be. supports() must be true.
  [[nodiscard]] static uint64_t bytes_of(tensor::DType dtype, const tensor::Quantization& how,
                                         uint64_t rows, uint64_t cols);
  // supports() must be true. `int14`: activations are quantized to 14 bits instead of 8.
  // LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedGroupWeights> pack(const tensor::StoredValues& stored,
                                                       tensor::DType dtype,
                                                       const tensor::Quantization& how, size_t rows,
                                                       size_t cols, bool int14);

  [[nodiscard]] size_t bytes() const { return panels_.size() + minima_.size(); }
  // Floats of scratch that multiply() needs for n rows of x.
  [[nodiscard]] size_t scratch_floats(size_t n) const;

  // y[n][rows] = x[n][cols] Wᵀ, of the rows of W in these panels. Defined in group_gemm.h.
  template <class V>
  void multiply(const float* x, size_t n, float* y, std::span<float> scratch,
                const PanelRange& panels) const;

  void row(size_t r, float* to) const;

 private:
  // The scales and codes of a group.
  struct Group {
    const float* scales;
    const uint8_t* codes;
  };

  // One panel, unpacked to pairs as group_tile_int16.h reads them, or to bytes.
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
  // Where the minima of the eight rows of a panel begin, group after group.
  [[nodiscard]] size_t minima_at(size_t panel, size_t group) const {
    return (panel * n_groups_ + group) * kPanelColumns;
  }
  void put_row(const tensor::StoredValues& stored, size_t r, std::span<float> codes);

  // Calls use(kBits).
  template <class Use>
  void with_bits(const Use& use) const {
    if (bits_ == 8) return use(std::integral_constant<uint32_t, 8>());
    if (bits_ == 4) return use(std::integral_constant<uint32_t, 4>());
    use(std::integral_constant<uint32_t, 5>());
  }

  template <class V, class GroupSums>
  void multiply_row(size_t panel, const float* x_scales, GroupSums group_sums,
                    const PanelsAhead& ahead, float* to) const;
  template <class V>
  void unpack_int16(size_t panel, const UnpackedPairs& to) const;
  template <class V, uint32_t kBits>
  void unpack_int8(size_t panel, int32_t flip, uint8_t* bytes, float* scales) const;
  template <class V>
  void multiply_row_int16(size_t panel, const QuantizedRows& x, size_t r, const PanelsAhead& ahead,
                          float* to) const;
  template <class V, uint32_t kBits, bool kInt14>
  void multiply_row_int8(size_t panel, const Int8Rows& x, size_t r, int32_t flip,
                         const PanelsAhead& ahead, float* to) const;
  template <class Multiply>
  void multiply_each_row(size_t n, float* y, const PanelRange& panels,
                         const Multiply& multiply) const;
  template <class V>
  void multiply_rows_int16(const QuantizedRows& x, size_t begin, size_t end, float* y,
                           const PanelRange& panels, const UnpackedPairs& unpacked) const;
  template <class V, uint32_t kBits>
  void multiply_rows_int8(const Int8Rows& x, size_t begin, size_t end, int32_t flip, float* y,
                          const PanelRange& panels, const UnpackedPairs& unpacked) const;
  template <class V>
  [[nodiscard]] bool try_multiply_int8(const QuantizedRows& x, size_t n, float* y,
                                       const PanelRange& panels,
                                       const UnpackedPairs& unpacked) const;
  template <class V>
  void multiply_codes(const QuantizedRows& rows, size_t n, float* y, const PanelRange& panels,
                      const UnpackedPairs& unpacked) const;
  template <class V>
  void add_minima(const float* x_sums, size_t n, float* y, const PanelRange& panels) const;
  void store_results(size_t panel, size_t r, const float* sums, float* y) const {
    store_panel_row(sums, panel, rows_, y + r * rows_);
  }

  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t n_groups_ = 0;
  size_t group_ = 0;  // columns in a group; the last group is padded with zeros
  uint32_t bits_ = 8;
  bool int14_ = false;
  AlignedBuffer panels_;
  AlignedBuffer minima_;  // of codes that are less than the file's by half their range
};

}  // namespace ambry::kernels
