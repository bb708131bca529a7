// The kernel of an activation function that a model names.
#pragma once

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
  }
}

}  // namespace ambry::infer
