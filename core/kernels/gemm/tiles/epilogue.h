// Epilogues: what happens to the results of a GEMM before they are stored. An epilogue has
//   apply<V>(sums, row, column, n)
// which gets the sums of n <= V::kLanes columns from `column` on and returns the values to store.
// Per-column parameters must be readable up to the next multiple of kPanelColumns.
#pragma once

#include <cstddef>

#include "kernels/activation/activation.h"

namespace ambry::kernels {

struct Scale {
  float factor;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t, size_t, size_t) const {
    return V::mul(sums, V::splat(factor));
  }
};

struct RowScale {
  const float* factors;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t row, size_t, size_t) const {
    return V::mul(sums, V::splat(factors[row]));
  }
};

struct Bias {
  const float* bias;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t, size_t column, size_t) const {
    return V::add(sums, V::load(bias + column));
  }
};

// One bias per row; nullptr for none.
struct RowBias {
  const float* bias;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t row, size_t, size_t) const {
    return bias == nullptr ? sums : V::add(sums, V::splat(bias[row]));
  }
};

template <class Activation>
struct BiasActivation {
  const float* bias;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t, size_t column, size_t) const {
    return Activation::template apply<V>(V::add(sums, V::load(bias + column)));
  }
};

// Adds the bias and the same element of another matrix, which may be C itself.
struct BiasResidual {
  const float* bias;
  const float* residual;
  size_t stride;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t row, size_t column, size_t n) const {
    const float* from = residual + row * stride + column;
    const auto before = n == V::kLanes ? V::load(from) : V::load_partial(from, n);
    return V::add(V::add(sums, V::load(bias + column)), before);
  }
};

}  // namespace ambry::kernels
