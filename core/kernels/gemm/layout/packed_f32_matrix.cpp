#include "kernels/gemm/layout/packed_f32_matrix.h"

#include "simd/isa.h"

namespace ambry::kernels {

Result<PackedF32Matrix> PackedF32Matrix::pack(const PackSource<float>& source, size_t n, size_t k) {
  PackedF32Matrix matrix;
  matrix.n_ = n;
  matrix.k_ = k;
  AMBRY_TRY(matrix.panels_,
            AlignedBuffer::allocate(uint64_t{n_panels(n)} * kPanelColumns * k * sizeof(float)));
  pack_f32<simd::Best>(source, n, k, matrix.panels_.as<float>().data());
  return matrix;
}

}  // namespace ambry::kernels
