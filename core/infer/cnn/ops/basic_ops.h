// Pooling, ReLU, addition, channel padding and batch norm, in the reference's order of operations
// (core/formats/tinyruntime/README.md#arithmetic). They work on quantized maps where the reference
// does; the others take f32 maps.
#pragma once

#include "infer/cnn/ops/feature_map.h"
#include "infer/cnn/ops/weights.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer {

void relu(FeatureMap& map);
// The maximum starts at 0. Padding is left out.
[[nodiscard]] Result<FeatureMap> max_pool(const model::CnnNode& node, const FeatureMap& in,
                                          const model::CnnShape& out);
// Divides by k², however much of the window is padding.
[[nodiscard]] Result<FeatureMap> average_pool(const model::CnnNode& node, const FeatureMap& in,
                                              const model::CnnShape& out);
[[nodiscard]] Result<FeatureMap> concat_pool(const FeatureMap& in, const model::CnnShape& out);
[[nodiscard]] Result<FeatureMap> pad_channels(const model::CnnNode& node, const FeatureMap& in,
                                              const model::CnnShape& out);
void add_to(FeatureMap& map, const FeatureMap& other);
// Divides in double.
void batch_norm(const CnnParameters& norm, FeatureMap& map);

}  // namespace ambry::infer
