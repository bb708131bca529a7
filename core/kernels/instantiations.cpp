// Kernels that are compiled for speed (core/CMakeLists.txt), once for all their callers.
#include "kernels/attention/softmax.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/int8_gemm.h"
#include "kernels/quantize/int8_activations.h"
#include "kernels/quantize/quantize_rows.h"
#include "kernels/recurrent/state_space.h"
#include "simd/isa.h"

namespace ambry::kernels {

template float exp_row<simd::Best>(std::span<float>);
template void multiply<simd::Best, PanelView>(const MatrixView&, const PanelView&, float*, size_t,
                                              const void*, StoreTile);
template void multiply_fused<simd::Best>(const MatrixView&, const PanelView&, float*, size_t,
                                         const void*, StoreTile);
template void multiply_int8<simd::Best>(const QuantizedActivations<simd::Best>&,
                                        const PackedInt8Weights&, float*, size_t, const void*,
                                        StoreTile);
template void quantize_rows<simd::Best>(const float*, size_t, size_t, size_t, size_t, float,
                                        const QuantizedRows&);
template void QuantizedActivations<simd::Best>::quantize<simd::Best>(const float*);
template void advance_state_space<simd::Best>(const StateSpaceShape&, const StateSpaceToken&,
                                              float*, float*);

}  // namespace ambry::kernels
