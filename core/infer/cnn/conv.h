// Convs and linear layers, which are convs of one pixel, in the three arithmetics of tinyRuntime
// (tinyruntime.md §3). Bit for bit the reference's, except for the fast way of floats.
#pragma once

#include "infer/cnn/feature_map.h"
#include "infer/cnn/observer.h"
#include "infer/cnn/weights.h"
#include "model/cnn/cnn_table.h"

namespace ambry::infer {

struct CnnLayerCall {
  const model::CnnLayer& layer;
  const CnnParameters& weights;
  const CnnMap& in;
  model::CnnShape out;
};

// Every sum goes over the patch in order. Fast: products and sums may be rounded at once.
[[nodiscard]] Result<CnnMap> run_float_layer(const CnnLayerCall& call, bool fast);

// DQ8: the patches are quantised by groups as they are made. `watcher` may be nullptr.
[[nodiscard]] Result<CnnMap> run_dynamic_layer(const CnnLayerCall& call, bool asymmetric,
                                               CnnWatcher* watcher);

// SQ8: bytes to bytes.
[[nodiscard]] Result<CnnMap> run_static_layer(const CnnLayerCall& call);

}  // namespace ambry::infer
