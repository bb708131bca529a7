// Convs and linear layers, which are convs of one pixel, in the three arithmetics of tinyRuntime
// (tinyruntime.md §3). Bit for bit the reference's, except for the fast way of floats.
#pragma once

#include "infer/cnn/feature_map.h"
#include "infer/cnn/observer.h"
#include "infer/cnn/weights.h"
#include "model/cnn/cnn_table.h"

namespace ambry::infer {

struct ConvCall {
  const model::CnnLayer& layer;
  const CnnParameters& weights;
  const FeatureMap& in;
  model::CnnShape out;
};

// Every sum goes over the patch in order. Fast: products and sums may be rounded at once.
[[nodiscard]] Result<FeatureMap> run_f32_conv(const ConvCall& call, bool fast);

// DQ8: the patches are quantised by groups as they are made. `observer` may be nullptr.
[[nodiscard]] Result<FeatureMap> run_dq8_conv(const ConvCall& call, bool asymmetric,
                                              CnnObserver* observer);

// SQ8: bytes to bytes.
[[nodiscard]] Result<FeatureMap> run_sq8_conv(const ConvCall& call);

}  // namespace ambry::infer
