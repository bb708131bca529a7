// The kernel of an activation function that a model names, and what feed-forward layers do with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "kernels/activation/apply_activation.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

// Calls use<Activation>().
template <class Use>
void with_activation(model::DecoderActivation activation, const Use& use) {
  switch (activation) {
    case model::DecoderActivation::Silu:
      return use.template operator()<kernels::Silu>();
    case model::DecoderActivation::Gelu:
      return use.template operator()<kernels::GeluErf>();
    case model::DecoderActivation::GeluTanh:
      return use.template operator()<kernels::GeluTanh>();
    case model::DecoderActivation::Relu:
      return use.template operator()<kernels::Relu>();
    case model::DecoderActivation::ReluSquared:
      return use.template operator()<kernels::ReluSquared>();
    case model::DecoderActivation::Xielu:
      break;  // has parameters (activate())
  }
}

// ln(1 + e^x)
[[nodiscard]] inline float softplus(double x) {
  return static_cast<float>(std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))));
}

// Applies the activation of this layer in place.
template <class V>
void activate(const model::DecoderConfig& config, uint32_t layer, std::span<float> row) {
  if (config.xielu.empty()) {
    return with_activation(config.activation, [&]<class Activation>() {
      kernels::apply_activation<V, Activation>(row);
    });
  }
  const model::XieluParameters& learned = config.xielu[layer];
  const auto beta = static_cast<float>(learned.beta);
  const auto eps = static_cast<float>(learned.eps);
  const float positive = softplus(learned.alpha_p);
  const float negative = beta + softplus(learned.alpha_n);
  kernels::map_row<V>(
      row, [&](typename V::F32 x) { return kernels::xielu<V>(x, positive, negative, beta, eps); });
}

// to = activation(gate) * up. `to` may be either of them.
template <class V>
void activate_gated(const model::DecoderConfig& config, std::span<const float> gate,
                    std::span<const float> up, float* to) {
  with_activation(config.activation, [&]<class Activation>() {
    kernels::apply_gated_activation<V, Activation>(gate, up, to);
  });
}

}  // namespace ambry::infer
