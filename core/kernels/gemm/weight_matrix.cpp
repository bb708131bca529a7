#include "kernels/gemm/weight_matrix.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/half.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

// Packs plain elements [rows, cols], or their transpose, in panels.
template <class T>
Result<AlignedBuffer> as_panels(const AlignedBuffer& payload, size_t rows, size_t cols,
                                bool transposed) {
  const size_t filled = n_panels(rows) * kPanelColumns;
  AMBRY_TRY(AlignedBuffer panels, AlignedBuffer::allocate(uint64_t{filled} * cols * sizeof(T)));
  const T* data = payload.as<T>().data();
  const PackSource<T> source =
      transposed ? PackSource<T>{data, 1, rows} : PackSource<T>{data, cols, 1};
  if constexpr (std::is_same_v<T, float>) {
    pack_f32<simd::Best>(source, rows, cols, panels.as<T>().data());
  } else {
    pack_panels(source, rows, cols, panels.as<T>().data());
  }
  return panels;
}

bool all_finite_f16(const AlignedBuffer& payload) {
  return std::ranges::none_of(payload.as<uint16_t>(),
                              [](uint16_t bits) { return (bits & 0x7C00U) == 0x7C00U; });
}

bool packs_groups(DType dtype, const tensor::Quantization& how, uint64_t cols, bool transposed,
                  ActivationPrecision precision) {
  return precision != ActivationPrecision::F32 && !transposed && !how.across_rows &&
         PackedGroupWeights::supports(dtype, how.block_size, cols);
}

bool packs_super_blocks(DType dtype, uint64_t cols, bool transposed,
                        ActivationPrecision precision) {
  return precision != ActivationPrecision::F32 && !transposed &&
         PackedSuperBlocks::supports(dtype, cols);
}

}  // namespace

uint64_t WeightMatrix::bytes_of(DType dtype,
                                const std::optional<tensor::Quantization>& quantization,
                                uint64_t rows, uint64_t cols, bool transposed,
                                uint64_t payload_bytes, ActivationPrecision precision) {
  const tensor::Quantization how = quantization.value_or(tensor::Quantization());
  if (packs_groups(dtype, how, cols, transposed, precision)) {
    return PackedGroupWeights::bytes_of(dtype, how, rows, cols);
  }
  if (packs_super_blocks(dtype, cols, transposed, precision)) {
    return PackedSuperBlocks::bytes_of(dtype, rows, cols);
  }
  if (!tensor::is_plain(dtype)) return payload_bytes;
  const uint64_t panels = (rows + kPanelColumns - 1) / kPanelColumns;
  return panels * kPanelColumns * cols * tensor::dtype_size(dtype);
}

Result<WeightMatrix> WeightMatrix::create(DType dtype,
                                          const std::optional<tensor::Quantization>& quantization,
                                          uint64_t rows, uint64_t cols, bool transposed,
                                          AlignedBuffer payload, ActivationPrecision precision) {
  if (rows == 0 || cols == 0)
    return make_error(ErrorCode::BadValue, "shape", "the matrix has no elements");
  WeightMatrix matrix;
  matrix.rows_ = static_cast<size_t>(rows);
  matrix.cols_ = static_cast<size_t>(cols);
  if (packs_super_blocks(dtype, cols, transposed, precision)) {
    matrix.form_ = Form::SuperBlocks;
    AMBRY_TRY(matrix.super_blocks_,
              PackedSuperBlocks::pack(dtype, rows, cols, payload.bytes(),
                                      precision == ActivationPrecision::Int14));
    return matrix;
  }
  const auto [stored_rows, stored_cols] =
      transposed ? std::pair{cols, rows} : std::pair{rows, cols};
  AMBRY_TRY(const auto stored, tensor::StoredValues::create(dtype, stored_rows, stored_cols,
                                                            quantization, payload.bytes()));
  const tensor::Quantization how = quantization.value_or(tensor::Quantization());
  const bool in_groups = packs_groups(dtype, how, cols, transposed, precision);
  if (dtype == DType::F32) {
    AMBRY_TRY(matrix.values_, as_panels<float>(payload, matrix.rows_, matrix.cols_, transposed));
  } else if (dtype == DType::F16 || dtype == DType::BF16) {
    matrix.form_ = dtype == DType::BF16      ? Form::BF16
                   : all_finite_f16(payload) ? Form::FiniteF16
                                             : Form::F16;
    AMBRY_TRY(matrix.values_, as_panels<uint16_t>(payload, matrix.rows_, matrix.cols_, transposed));
  } else if (in_groups) {
    matrix.form_ = Form::Groups;
    AMBRY_TRY(matrix.group_weights_,
              PackedGroupWeights::pack(stored, dtype, how, matrix.rows_, matrix.cols_,
                                       precision == ActivationPrecision::Int14));
  } else {
    matrix.form_ = Form::Stored;
    matrix.transposed_ = transposed;
    matrix.stored_ = stored;
    matrix.values_ = std::move(payload);
  }
  return matrix;
}

size_t WeightMatrix::scratch_floats(size_t n) const {
  if (form_ == Form::F32) return 0;
  if (form_ == Form::Groups) return group_weights_.scratch_floats(n);
  if (form_ == Form::SuperBlocks) return super_blocks_.scratch_floats(n);
  const size_t panel = kPanelColumns * cols_;
  return form_ == Form::Stored && !transposed_ ? panel + cols_ : panel;
}

// Widens eight rows side by side. The last panel may have fewer.
void WeightMatrix::read_panel(size_t i, float* scratch) const {
  const size_t first = i * kPanelColumns;
  const size_t n_filled = std::min(kPanelColumns, rows_ - first);
  if (n_filled < kPanelColumns) std::fill_n(scratch, kPanelColumns * cols_, 0.0F);
  if (transposed_) {
    for (size_t k = 0; k < cols_; ++k) {
      stored_->read(k, first, {scratch + k * kPanelColumns, n_filled});
    }
    return;
  }
  const std::span<float> row(scratch + kPanelColumns * cols_, cols_);
  for (size_t c = 0; c < n_filled; ++c) {
    stored_->read(first + c, 0, row);
    for (size_t k = 0; k < cols_; ++k) scratch[k * kPanelColumns + c] = row[k];
  }
}

void WeightMatrix::scale_results(size_t n, float* y, const PanelRange& panels) const {
  const size_t first = panels.begin * kPanelColumns;
  const size_t end = std::min(panels.end * kPanelColumns, rows_);
  for (size_t i = 0; i < n; ++i, y += rows_) {
    for (size_t r = first; r < end; ++r) y[r] *= factor_;
  }
}

void WeightMatrix::row(size_t r, float* to) const {
  read_row(r, to);
  if (factor_ == 1) return;
  for (size_t k = 0; k < cols_; ++k) to[k] *= factor_;
}

void WeightMatrix::read_row(size_t r, float* to) const {
  assert(r < rows_);
  if (form_ == Form::Groups) return group_weights_.row(r, to);
  if (form_ == Form::SuperBlocks) return super_blocks_.row(r, to);
  if (form_ == Form::Stored) {
    if (!transposed_) return stored_->read(r, 0, {to, cols_});
    for (size_t k = 0; k < cols_; ++k) stored_->read(k, r, {to + k, 1});
    return;
  }
  const size_t from = r / kPanelColumns * kPanelColumns * cols_ + r % kPanelColumns;
  for (size_t k = 0; k < cols_; ++k) {
    const size_t at = from + k * kPanelColumns;
    const auto half = [&] { return values_.as<uint16_t>()[at]; };
    to[k] = form_ == Form::F32    ? values_.as<float>()[at]
            : form_ == Form::BF16 ? bf16_to_f32(half())
                                  : f16_to_f32(half());
  }
}

}  // namespace ambry::kernels
