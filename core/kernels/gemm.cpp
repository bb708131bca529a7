#include "kernels/gemm.h"

#include "kernels/byte_gemm.h"

namespace ambry::kernels {

template void multiply<simd::Best, PanelView>(const MatrixView&, const PanelView&, float*, size_t,
                                              const void*, StoreTile);
template void multiply_bytes<simd::Best>(const CodedRows<simd::Best>&, const ByteMatrix&, float*,
                                         size_t, const void*, StoreTile);
template void CodedRows<simd::Best>::encode<simd::Best>(const float*);

}  // namespace ambry::kernels
