#include "kernels/packed_matrix.h"

#include <algorithm>

namespace ambry::kernels {

Result<PackedMatrix> PackedMatrix::pack_f32(const PackSource<float>& source, size_t n, size_t k) {
  PackedMatrix matrix;
  matrix.n_ = n;
  matrix.k_ = k;
  AMBRY_TRY(matrix.panels_,
            AlignedBuffer::allocate(uint64_t{n_panels(n)} * kPanelColumns * k * sizeof(float)));
  pack_panels(source, n, k, matrix.panels_.as<float>().data());
  return matrix;
}

Result<PackedMatrix> PackedMatrix::pack_int8(const PackSource<int8_t>& source, size_t n, size_t k,
                                             std::span<const float> scales,
                                             std::span<const float> zero_points) {
  assert(scales.size() == n && zero_points.size() == n);
  PackedMatrix matrix;
  matrix.n_ = n;
  matrix.k_ = k;
  const size_t padded_n = n_panels(n) * kPanelColumns;
  AMBRY_TRY(matrix.panels_, AlignedBuffer::allocate(uint64_t{padded_n} * k));
  AMBRY_TRY(matrix.columns_, AlignedBuffer::allocate(uint64_t{padded_n} * 2 * sizeof(float)));
  pack_panels(source, n, k, matrix.panels_.as<int8_t>().data());
  const std::span<float> columns = matrix.columns_.as<float>();
  std::ranges::fill(columns, 0.0F);
  std::ranges::copy(scales, columns.begin());
  std::ranges::copy(zero_points, columns.begin() + static_cast<ptrdiff_t>(padded_n));
  return matrix;
}

}  // namespace ambry::kernels
