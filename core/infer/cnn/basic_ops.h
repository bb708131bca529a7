// The layers without weights, and batch norms, in the reference's order of operations
// (tinyruntime.md §3). On bytes where the reference works on bytes; the others take floats.
#pragma once

#include "infer/cnn/feature_map.h"
#include "infer/cnn/weights.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

void relu(FeatureMap& map);
// From 0 on, without the padding.
[[nodiscard]] Result<FeatureMap> max_pool(const model::CnnNode& node, const FeatureMap& in,
                                          const model::CnnShape& out);
// Divided by k², whatever part of the window is padding.
[[nodiscard]] Result<FeatureMap> average_pool(const model::CnnNode& node, const FeatureMap& in,
                                              const model::CnnShape& out);
[[nodiscard]] Result<FeatureMap> concat_pool(const FeatureMap& in, const model::CnnShape& out);
[[nodiscard]] Result<FeatureMap> pad_channels(const model::CnnNode& node, const FeatureMap& in,
                                              const model::CnnShape& out);
void add_to(FeatureMap& map, const FeatureMap& other);
// The quotient in double.
void batch_norm(const CnnParameters& norm, FeatureMap& map);

}  // namespace ambry::infer
