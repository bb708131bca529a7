// The weight W [rows, cols] of a decoder's linear layer, kept in the type of its file, and the
// product y = x Wᵀ. A weight is never widened to f32 as a whole.
//
// F32, F16 and BF16 are packed in panels of their own type (packed_f32_matrix.h). INT8, INT4 and
// INT5 become PackedGroupWeights where their block size allows it, and K-quants PackedSuperBlocks.
// All others stay as stored: a product widens one panel of eight rows at a time and passes it to
// the f32 GEMM.
//
// A row of y has the same bits whichever other rows of x come with it, so the batches of a prompt
// cannot change the generated text. With group-quantized weights x is rounded to 14 or 8 bits by
// groups of columns: a result is off by at most the sum over the groups of Σ |w| max |x| / 16382,
// or / 254.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/groups/group_gemm.h"
#include "kernels/gemm/groups/packed_group_weights.h"
#include "kernels/gemm/super_blocks/packed_super_blocks.h"
#include "kernels/gemm/super_blocks/super_block_gemm.h"
#include "tensor/codec/stored_values.h"

namespace ambry::kernels {

// How activations are multiplied by group-quantized weights: as floats, or quantized to 14 or 8
// bits.
enum class ActivationPrecision : uint8_t { F32, Int14, Int8 };

// Up to so many rows, widening a panel of 16-bit values takes longer than it saves.
inline constexpr size_t kFewRows = 6;

class WeightMatrix {
 public:
  WeightMatrix() = default;

  // `payload` holds rows * cols elements of F32, F16, BF16, one of AMB's quantized types, or a
  // block type of ggml that can_run_blocks() knows, row after row. `transposed`: it holds the
  // matrix [cols, rows], like GPT-2's Conv1D. The caller adds the tensor's name to errors: BadValue
  // at `shape` for no rows or columns; Mismatch at `data` when shape and type take another number
  // of bytes; BadValue at `mask[i]`, and at `scales[i]` for a scale that is not finite; Unsupported
  // at `dtype`; LimitExceeded when the heap is full. Float elements need not be finite.
  [[nodiscard]] static Result<WeightMatrix> create(
      tensor::DType dtype, const std::optional<tensor::Quantization>& quantization, uint64_t rows,
      uint64_t cols, bool transposed, AlignedBuffer payload,
      ActivationPrecision precision = ActivationPrecision::Int8);

  // What bytes() of the created matrix will be, for a payload of `payload_bytes`.
  [[nodiscard]] static uint64_t bytes_of(tensor::DType dtype,
                                         const std::optional<tensor::Quantization>& quantization,
                                         uint64_t rows, uint64_t cols, bool transposed,
                                         uint64_t payload_bytes,
                                         ActivationPrecision precision = ActivationPrecision::Int8);

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t cols() const { return cols_; }
  // Multiplies all values: each result once it is summed, and the values of row().
  void set_factor(float factor) { factor_ = factor; }
  // Heap bytes.
  [[nodiscard]] uint64_t bytes() const {
    return values_.size() + group_weights_.bytes() + super_blocks_.bytes();
  }

  // Floats of scratch that multiply() needs for n rows of x.
  [[nodiscard]] size_t scratch_floats(size_t n) const;

  // y[n][rows] = x[n][cols] Wᵀ. y must not overlap x.
  template <class V>
  void multiply(const float* x, size_t n, float* y, std::span<float> scratch) const {
    multiply<V>(x, n, y, scratch, {0, n_panels(rows_)});
  }

  // Multiplies by the rows of W in some panels, with the same bits as for all of them: y[n][8 *
  // begin .. 8 * end). Threads that multiply other panels may run at the same time, each with
  // scratch of its own.
  template <class V>
  void multiply(const float* x, size_t n, float* y, std::span<float> scratch,
                const PanelRange& panels) const {
    assert(scratch.size() >= scratch_floats(n));
    if (panels.begin == panels.end) return;
    multiply_values<V>(x, n, y, scratch, panels);
    if (factor_ != 1) scale_results(n, y, panels);
  }

  // Writes row r as `cols` floats: an embedding.
  void row(size_t r, float* to) const;

 private:
  template <class V>
  void multiply_values(const float* x, size_t n, float* y, std::span<float> scratch,
                       const PanelRange& panels) const {
    if (form_ == Form::Groups) return group_weights_.multiply<V>(x, n, y, scratch, panels);
    if (form_ == Form::SuperBlocks) return super_blocks_.multiply<V>(x, n, y, scratch, panels);
    if (n <= kFewRows && is_half()) return multiply_few_f16_rows<V>(x, n, y, panels);
    const size_t first = panels.begin * kPanelColumns;
    const size_t columns = std::min(panels.end * kPanelColumns, rows_) - first;
    f32_gemm<V>(MatrixView{x, n, cols_}, Panels{columns, cols_, this, panels.begin, scratch.data()},
                y + first, rows_, Scale{1.0F});
  }
  void scale_results(size_t n, float* y, const PanelRange& panels) const;
  void read_row(size_t r, float* to) const;

  // FiniteF16 has no infinity and no NaN.
  enum class Form : uint8_t { F32, F16, FiniteF16, BF16, Groups, SuperBlocks, Stored };

  // The panels that the f32 GEMM reads.
  struct Panels {
    size_t n;
    size_t k;
    const WeightMatrix* weight;
    size_t first;
    float* scratch;

    template <class V>
    [[nodiscard]] const float* panel(size_t i) const {
      return weight->panel<V>(first + i, scratch);
    }
    [[nodiscard]] StoredPanels stored() const {
      if (weight->form_ != Form::F32) return {nullptr, 0, 0};
      const size_t size = kPanelColumns * k;
      return {weight->values_.as<float>().data() + first * size, size * sizeof(float), n_panels(n)};
    }
  };

  [[nodiscard]] bool is_half() const {
    return form_ == Form::F16 || form_ == Form::FiniteF16 || form_ == Form::BF16;
  }
  // Calls use(load) with V's way to load this 16-bit type.
  template <class V, class Use>
  void with_load(const Use& use) const {
    if (form_ == Form::FiniteF16) {
      use(V::load_finite_f16);
    } else if (form_ == Form::F16) {
      use(V::load_f16);
    } else {
      use(V::load_bf16);
    }
  }
  template <class V>
  void multiply_few_f16_rows(const float* x, size_t n, float* y, const PanelRange& panels) const;
  template <class V, size_t kRows>
  void multiply_f16_rows(const float* x, float* y, const PanelRange& panels) const;
  template <class V>
  [[nodiscard]] const float* panel(size_t i, float* scratch) const;
  void read_panel(size_t i, float* scratch) const;

  size_t rows_ = 0;
  size_t cols_ = 0;
  float factor_ = 1;
  Form form_ = Form::F32;
  bool transposed_ = false;  // of Stored only: packed panels are in order
  AlignedBuffer values_;     // packed panels, or the payload of Stored
  std::optional<tensor::StoredValues> stored_;
  PackedGroupWeights group_weights_;
  PackedSuperBlocks super_blocks_;
};

template <class V>
void WeightMatrix::multiply_few_f16_rows(const float* x, size_t n, float* y,
                                         const PanelRange& panels) const {
  for (size_t r = 0; r < n;) {
    r += with_tile_rows<4>(n - r, [&](auto rows) {
      multiply_f16_rows<V, rows>(x + r * cols_, y + r * rows_, panels);
    });
  }
}

// Multiplies rows of x without a widened panel. Sums run in the order of multiply_tile().
template <class V, size_t kRows>
void WeightMatrix::multiply_f16_rows(const float* x, float* y, const PanelRange& panels) const {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  const uint16_t* from = values_.as<uint16_t>().data() + panels.begin * kPanelColumns * cols_;
  with_load<V>([&](const auto& load) {
    const size_t end = std::min(panels.end * kPanelColumns, rows_);
    for (size_t first = panels.begin * kPanelColumns; first < end; first += kPanelColumns) {
      typename V::F32 sums[kRows * kVectors];
      unroll<kRows * kVectors>([&](auto i) { sums[i] = V::zero(); });
      for (size_t k = 0; k < cols_; ++k, from += kPanelColumns) {
        typename V::F32 weights[kVectors];
        unroll<kVectors, kLoopOverVectors<V>>(
            [&](auto v) { weights[v] = load(from + v * V::kLanes); });
        unroll<kRows>([&](auto r) {
          const auto value = V::splat(x[r * cols_ + k]);
          unroll<kVectors, kLoopOverVectors<V>>([&](auto v) {
            sums[r * kVectors + v] = V::madd(value, weights[v], sums[r * kVectors + v]);
          });
        });
      }
      unroll<kRows>([&](auto r) {
        float tile[kPanelColumns];
        unroll<kVectors, kLoopOverVectors<V>>(
            [&](auto v) { V::store(tile + v * V::kLanes, sums[r * kVectors + v]); });
        std::copy_n(tile, std::min(kPanelColumns, rows_ - first), y + r * rows_ + first);
      });
    }
  });
}

template <class V>
const float* WeightMatrix::panel(size_t i, float* scratch) const {
  const size_t size = kPanelColumns * cols_;
  if (form_ == Form::F32) return values_.as<float>().data() + i * size;
  if (form_ == Form::Stored) {
    read_panel(i, scratch);
    return scratch;
  }
  const uint16_t* from = values_.as<uint16_t>().data() + i * size;
  with_load<V>([&](const auto& load) {
    for (size_t at = 0; at < size; at += V::kLanes) V::store(scratch + at, load(from + at));
  });
  return scratch;
}

}  // namespace ambry::kernels
