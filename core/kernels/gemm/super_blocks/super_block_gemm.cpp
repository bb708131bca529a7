#include "kernels/gemm/super_blocks/super_block_gemm.h"

#include "simd/isa.h"

namespace ambry::kernels {

template void PackedSuperBlocks::multiply<simd::Best>(const float*, size_t, float*,
                                                      std::span<float>, const PanelRange&) const;

}  // namespace ambry::kernels
