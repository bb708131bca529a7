#include "kernels/gemm.h"

#include "kernels/byte_gemm.h"

namespace ambry::kernels {

template void multiply<simd::Best, PanelView>(const MatrixView&, const PanelView&, float*, size_t,
                                              const void*, StoreTile);
template void multiply_bytes<simd::Best>(const CodedRows&, const ByteMatrix&, float*, size_t,
                                         const void*, StoreTile);

template void encode_rows<simd::Best>(const float*, size_t, size_t, const CodedRows&);

}  // namespace ambry::kernels
