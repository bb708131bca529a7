// The activations of feed-forward layers, as function objects that a GEMM can apply to its results
// before it stores them.
#pragma once

#include "kernels/activation/exp.h"

namespace ambry::kernels {

// GELU by the error function, x Φ(x) = max(x, 0) - h(|x|) with h(a) = a (1 - Φ(a)). h is a bump
// that has vanished at 6 (6e-9). A rational fit of h (tests/reference/fit_functions.py) gives an
// absolute error of at most 2e-7 max(1, |x|) everywhere and loses nothing in the negative tail.
struct GeluErf {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    const auto a = V::min(V::max(x, V::sub(V::zero(), x)), V::template constant<6.0F>());
    auto top = V::template constant<-0.000112522474F>();
    top = V::madd(top, a, V::template constant<0.00299452501F>());
    top = V::madd(top, a, V::template constant<-0.0319813527F>());
    top = V::madd(top, a, V::template constant<0.171453908F>());
    top = V::madd(top, a, V::template constant<-0.461716473F>());
    top = V::madd(top, a, V::template constant<0.499994308F>());
    auto bottom = V::template constant<0.000431405351F>();
    bottom = V::madd(bottom, a, V::template constant<-0.00193266431F>());
    bottom = V::madd(bottom, a, V::template constant<0.0071242135F>());
    bottom = V::madd(bottom, a, V::template constant<-0.00678669754F>());
    bottom = V::madd(bottom, a, V::template constant<0.0297423881F>());
    bottom = V::madd(bottom, a, V::template constant<-0.00861348584F>());
    bottom = V::madd(bottom, a, V::template constant<0.244349077F>());
    bottom = V::madd(bottom, a, V::template constant<-0.125792325F>());
    bottom = V::madd(bottom, a, V::template constant<1.0F>());
    const auto bump = V::div(V::mul(a, top), bottom);
    return V::sub(V::max(x, V::zero()), bump);
  }
};

// GELU by the tanh formula (gelu_new), 0.5 x (1 + tanh u) with u = sqrt(2/π) (x + 0.044715 x³),
// computed as x / (1 + e^-2u). Within 4 ULP; absolute error at most 1e-7 for x < 0.
struct GeluTanh {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    constexpr float kMinusTwoSqrt2OverPi = -1.59576912F;
    const auto cubic = V::madd(V::mul(V::mul(x, x), x), V::template constant<0.044715F>(), x);
    const auto e = exp<V>(V::mul(cubic, V::template constant<kMinusTwoSqrt2OverPi>()));
    return V::div(x, V::add(V::template constant<1.0F>(), e));
  }
};

// x / (1 + e^-x), also called swish. Within 4 ULP.
struct Silu {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    const auto e = exp<V>(V::sub(V::zero(), x));
    return V::div(x, V::add(V::template constant<1.0F>(), e));
  }
};

// 1 / (1 + e^-x). Within 4 ULP.
struct Sigmoid {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    const auto one = V::template constant<1.0F>();
    return V::div(one, V::add(one, exp<V>(V::sub(V::zero(), x))));
  }
};

struct Relu {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    return V::max(x, V::zero());
  }
};

struct ReluSquared {
  template <class V>
  static typename V::F32 apply(typename V::F32 x) {
    const auto kept = V::max(x, V::zero());
    return V::mul(kept, kept);
  }
};

// Expanded integral of the exponential linear unit: positive x² + beta x above 0, else
// (e^min(x, eps) - 1 - x) negative + beta x. Within 4e-7 of it, or relatively where it is above 1.
template <class V>
[[nodiscard]] typename V::F32 xielu(typename V::F32 x, float positive, float negative, float beta,
                                    float eps) {
  const auto linear = V::mul(x, V::splat(beta));
  const auto above = V::mul(V::mul(x, x), V::splat(positive));
  const auto grown = V::sub(exp<V>(V::min(x, V::splat(eps))), V::template constant<1.0F>());
  const auto below = V::mul(V::sub(grown, x), V::splat(negative));
  return V::add(linear, V::select(V::less(V::zero(), x), above, below));
}

}  // namespace ambry::kernels
