#include "infer/encoder/head/dense_pass.h"

#include <cassert>
#include <cmath>
#include <span>
#include <utility>

#include "kernels/activation/apply_activation.h"
#include "kernels/gemm/f32_gemm.h"
#include "simd/isa.h"

namespace ambry::infer {

using model::DenseActivation;

void apply_dense_activation(DenseActivation activation, std::span<float> values) {
  using V = simd::Best;
  switch (activation) {
    case DenseActivation::Identity:
      return;
    case DenseActivation::Tanh:
      for (float& value : values) value = std::tanh(value);
      return;
    case DenseActivation::Relu:
      return kernels::apply_activation<V, kernels::Relu>(values);
    case DenseActivation::Gelu:
      return kernels::apply_activation<V, kernels::GeluErf>(values);
    case DenseActivation::Sigmoid:
      return kernels::apply_activation<V, kernels::Sigmoid>(values);
    case DenseActivation::GeluTanh:
      return kernels::apply_activation<V, kernels::GeluTanh>(values);
    case DenseActivation::Silu:
      return kernels::apply_activation<V, kernels::Silu>(values);
  }
}

void apply_dense_layer(const DenseLayer& layer, std::vector<float>& vectors) {
  const kernels::PackedF32Matrix& weight = layer.linear.weight.f32;
  assert(vectors.size() % weight.k() == 0);
  const size_t n_vectors = vectors.size() / weight.k();
  std::vector<float> result(n_vectors * weight.n());
  kernels::f32_gemm<simd::Best>({vectors.data(), n_vectors, weight.k()}, weight, result.data(),
                                weight.n(), kernels::Bias{layer.linear.bias.data()});
  apply_dense_activation(layer.activation, result);
  vectors = std::move(result);
}

}  // namespace ambry::infer
