// Convolutions, and linear layers, which are convolutions over one pixel, in the three arithmetics
// of tinyRuntime (core/formats/tinyruntime/README.md#arithmetic). Bit-exact with the reference,
// except for the fast f32 mode.
#pragma once

#include "infer/cnn/ops/feature_map.h"
#include "infer/cnn/ops/observer.h"
#include "infer/cnn/ops/weights.h"
#include "model/cnn/cnn_table.h"

namespace ambry::infer {

struct ConvCall {
  const model::CnnLayer& layer;
  const CnnParameters& weights;
  const FeatureMap& in;
  model::CnnShape out;
};

// Sums run over the patch in order. `fast`: a product and a sum may be rounded together, or the
// transforms of conv_winograd.h may take their place.
[[nodiscard]] Result<FeatureMap> run_f32_conv(const ConvCall& call, bool fast);

// DQ8: patches are quantized by groups as they are gathered. `observer` may be nullptr.
[[nodiscard]] Result<FeatureMap> run_dq8_conv(const ConvCall& call, bool asymmetric,
                                              CnnObserver* observer);

// SQ8: quantized input, quantized output.
[[nodiscard]] Result<FeatureMap> run_sq8_conv(const ConvCall& call);

}  // namespace ambry::infer
