// The first matrix of a feed-forward layer, with its activation.
#pragma once

#include <cassert>
#include <cstddef>

#include "infer/encoder/linear_input.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/activation/apply_activation.h"

namespace ambry::infer {

template <class V>
void widen_and_activate(Activation activation, LinearInput<V>& rows, const Linear& linear,
                        float* out, size_t width) {
  const float* bias = linear.bias.data();
  switch (activation) {
    case Activation::GeluErf:
      return rows.multiply(linear.weight, out, width,
                           kernels::BiasActivation<kernels::GeluErf>{bias});
    case Activation::GeluTanh:
      return rows.multiply(linear.weight, out, width,
                           kernels::BiasActivation<kernels::GeluTanh>{bias});
    case Activation::Relu:
      return rows.multiply(linear.weight, out, width, kernels::BiasActivation<kernels::Relu>{bias});
    case Activation::Silu:
    case Activation::QuickGelu:
      break;
  }
  assert(false);
}

}  // namespace ambry::infer
