// The dense layers after the pooling, in f32.
#pragma once

#include <span>
#include <vector>

#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {

// Applies it to each value.
void apply_dense_activation(model::DenseActivation activation, std::span<float> values);

// vector = activation(W vector + b) for each of the vectors, which lie one after another. Each gets
// as many numbers as the weight has rows.
void apply_dense_layer(const DenseLayer& layer, std::vector<float>& vectors);

}  // namespace ambry::infer
