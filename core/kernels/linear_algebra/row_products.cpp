#include "kernels/linear_algebra/row_products.h"

#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "simd/isa.h"

namespace ambry::kernels {
namespace {

using V = simd::Baseline;

constexpr Scale kNoScaling{1.0F};

}  // namespace

Result<RowRotation> RowRotation::pack(std::span<const float> matrix, size_t n) {
  assert(matrix.size() == n * n);
  RowRotation rotation;
  AMBRY_TRY(rotation.matrix_, PackedF32Matrix::pack({matrix.data(), 1, n}, n, n));
  return rotation;
}

void RowRotation::apply(const float* rows, size_t n_rows, float* to) const {
  const size_t n = matrix_.n();
  f32_gemm<V>({rows, n_rows, n}, matrix_, to, n, kNoScaling);
}

Result<void> RowCorrelation::add(const float* a, const float* b, size_t n_rows) {
  transposed_.resize(n_ * n_rows);
  for (size_t row = 0; row < n_rows; ++row) {
    for (size_t i = 0; i < n_; ++i) transposed_[i * n_rows + row] = a[row * n_ + i];
  }
  AMBRY_TRY(const PackedF32Matrix packed, PackedF32Matrix::pack({b, 1, n_}, n_, n_rows));
  f32_gemm<V>({transposed_.data(), n_, n_rows}, packed, part_.data(), n_, kNoScaling);
  for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += static_cast<double>(part_[i]);
  return {};
}

}  // namespace ambry::kernels
