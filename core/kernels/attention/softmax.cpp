#include "kernels/attention/softmax.h"

namespace ambry::kernels {

template float exp_row<simd::Best>(std::span<float>);

}  // namespace ambry::kernels
