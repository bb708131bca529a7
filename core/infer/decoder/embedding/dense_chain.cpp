#include "infer/decoder/embedding/dense_chain.h"

#include <cassert>
#include <utility>

#include "infer/encoder/head/dense_pass.h"
#include "simd/isa.h"

namespace ambry::infer {

void apply_dense_layers(const Decoder& decoder, std::vector<float>& vector) {
  const std::vector<LinearWeights>& layers = decoder.weights().dense;
  if (layers.empty()) return;
  assert(vector.size() == decoder.config().n_embd);
  const std::vector<model::DenseConfig> facts = model::decoder_dense_layers(decoder.config());
  std::vector<float> scratch;
  for (size_t i = 0; i < layers.size(); ++i) {
    const kernels::WeightMatrix& weight = layers[i].weight;
    scratch.resize(weight.scratch_floats(1));
    std::vector<float> result(weight.rows());
    weight.multiply<simd::Best>(vector.data(), 1, result.data(), scratch);
    const std::vector<float>& bias = layers[i].bias;
    for (size_t j = 0; j < bias.size(); ++j) result[j] += bias[j];
    apply_dense_activation(facts[i].activation, result);
    vector = std::move(result);
  }
}

float rank_by_layer_head(const Decoder& decoder, size_t i, std::span<const float> hidden) {
  const kernels::WeightMatrix& weight = decoder.weights().dense[i].weight;
  std::vector<float> scratch(weight.scratch_floats(1));
  float score = 0;
  weight.multiply<simd::Best>(hidden.data(), 1, &score, scratch);
  return score;
}

}  // namespace ambry::infer
