// Convolutions of 3 x 3 weights with stride 1 by Winograd's transforms (kernels/winograd/): fewer
// products than conv_f32.cpp, and other rounding. Only the fast mode uses them.
#pragma once

#include "infer/cnn/ops/conv.h"

namespace ambry::infer {

// Whether the layer can be computed so, and is faster.
[[nodiscard]] bool suits_winograd(const ConvCall& call);

// suits_winograd() must be true. LimitExceeded when the heap is full.
[[nodiscard]] Result<FeatureMap> run_winograd_conv(const ConvCall& call);

}  // namespace ambry::infer
