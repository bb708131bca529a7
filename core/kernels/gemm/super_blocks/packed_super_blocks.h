// ggml's K-quants, IQ4_XS and the types with grids (IQ1, IQ2 and IQ3) [rows, cols], packed in
// panels of eight rows (super_block_layout.h). K-quants and IQ4_XS take 1 to 6 % more bytes than
// these rows in the file; points of grids become codes of four bits, so all of these types take 4.6
// bits a weight. Nothing is lost. super_block_gemm.h multiplies them by activations that are
// quantized by super-blocks (quantize_rows.h).
//
// Within a super-block all sums are exact integers, and super-blocks are added in order. So a
// result has the same bits for one row of x or many, in every build, on every machine. A weight
// whose `d` is not finite makes its row of the result NaN or infinite, and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "kernels/gemm/super_blocks/super_block_layout.h"
#include "kernels/gemm/super_blocks/super_block_sums.h"
#include "tensor/dtype/dtype.h"

namespace ambry::kernels {

struct SuperBlockKernels;

class PackedSuperBlocks {
 public:
  PackedSuperBlocks() = default;

  // Whether a weight of this type can be packed so: rows are whole blocks.
  [[nodiscard]] static bool supports(tensor::DType dtype, uint64_t cols);
  // What bytes() of the packed weight will be. supports() must be true.
  [[nodiscard]] static uint64_t bytes_of(tensor::DType dtype, uint64_t rows, uint64_t cols);
  // supports() must be true. `int14`: activations are quantized to 14 bits where sums of these
  // codes leave room for them, instead of 8. Mismatch at `data` when shape and type take another
  // number of bytes than `payload` has; LimitExceeded when the heap is full.
  [[nodiscard]] static Result<PackedSuperBlocks> pack(tensor::DType dtype, uint64_t rows,
                                                      uint64_t cols, Bytes payload, bool int14);

  [[nodiscard]] size_t bytes() const { return panels_.size(); }
  // Floats of scratch that multiply() needs for n rows of x.
  [[nodiscard]] size_t scratch_floats(size_t n) const;

  // y[n][rows] = x[n][cols] Wᵀ, of the rows of W in these panels. Defined in super_block_gemm.h.
  template <class V>
  void multiply(const float* x, size_t n, float* y, std::span<float> scratch,
                const PanelRange& panels) const;

  // Writes row r as `cols` floats, the values that ggml's reference gives.
  void row(size_t r, float* to) const;

 private:
  // Scratch of a product; super_block_gemm.h.
  struct Scratch;

  [[nodiscard]] const uint8_t* block(size_t panel, size_t b) const {
    return panels_.data() + (panel * n_blocks_ + b) * layout_->bytes();
  }
  template <class V>
  [[nodiscard]] const SuperBlockKernels& kernels() const;
  [[nodiscard]] Scratch divide(std::span<float> scratch, size_t n) const;
  template <class V>
  void quantize(const float* x, size_t n, const Scratch& scratch) const;
  [[nodiscard]] SuperBlockRows finished_rows(size_t n, int32_t offset, size_t code_bytes,
                                             const Scratch& scratch) const;
  void multiply_each_row(const SuperBlockRows& x, size_t n, SuperBlockRowKernel* kernel,
                         const void* table, const PanelRange& panels, float* y) const;
  template <class V>
  void unpack_bytes(size_t panel, const void* table, const Scratch& scratch) const;
  template <class V>
  void unpack_pairs(size_t panel, const Scratch& scratch) const;
  template <class V>
  void multiply_in_bytes(const SuperBlockRows& x, size_t begin, size_t end, const void* table,
                         const PanelRange& panels, const Scratch& scratch, float* y) const;
  template <class V>
  void multiply_in_pairs(const SuperBlockRows& x, size_t begin, size_t end,
                         const PanelRange& panels, const Scratch& scratch, float* y) const;
  template <class V>
  [[nodiscard]] bool try_multiply_bytes(size_t n, const PanelRange& panels, const Scratch& scratch,
                                        float* y) const;

  const SuperBlockLayout* layout_ = nullptr;
  const int8_t* table_ = nullptr;  // the 16 numbers of codes that are indices
  size_t rows_ = 0;
  size_t n_blocks_ = 0;  // of a row
  bool int14_ = false;
  AlignedBuffer panels_;
};

}  // namespace ambry::kernels
