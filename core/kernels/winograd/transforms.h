// Winograd's transforms for convolutions of 3 x 3 weights with stride 1 (Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", 2015, F(2 x 2, 3 x 3)). A tile of 4 x 4 inputs and
// the weights become 16 values each. Their products, added over the channels, become 2 x 2 outputs.
// So an output takes 4 products in place of 9.
//
// The transforms only add, subtract and halve. Their rounding makes outputs differ from those of
// the direct sums by a few units in the last place of the largest summand.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/unroll.h"

namespace ambry::kernels {

inline constexpr size_t kWinogradKernel = 3;
inline constexpr size_t kWinogradOutputs = 2;  // of a tile, in each direction
inline constexpr size_t kWinogradSide = 4;     // inputs of a tile, likewise
inline constexpr size_t kWinogradValues = kWinogradSide * kWinogradSide;

// kRows x kColumns values, each a vector.
template <class V, size_t kRows, size_t kColumns>
using Grid = typename V::F32[kRows][kColumns];

// Applies `transform`, which turns kFrom values into kTo, to the columns of a grid and then to the
// rows of the result.
template <class V, size_t kFrom, size_t kTo, class Transform>
[[gnu::always_inline]] inline void transform_grid(const Grid<V, kFrom, kFrom>& from,
                                                  Grid<V, kTo, kTo>& to,
                                                  const Transform& transform) {
  Grid<V, kTo, kFrom> half;
  unroll<kFrom>([&](auto x) {
    typename V::F32 in[kFrom];
    typename V::F32 out[kTo];
    unroll<kFrom>([&](auto y) { in[y] = from[y][x]; });
    transform(in, out);
    unroll<kTo>([&](auto y) { half[y][x] = out[y]; });
  });
  unroll<kTo>([&](auto y) { transform(half[y], to[y]); });
}

// 4 inputs in a line.
template <class V>
[[gnu::always_inline]] inline void transform_inputs(const Grid<V, 4, 4>& from, Grid<V, 4, 4>& to) {
  transform_grid<V, 4, 4>(from, to, [](const auto& in, auto& out) {
    out[0] = V::sub(in[0], in[2]);
    out[1] = V::add(in[1], in[2]);
    out[2] = V::sub(in[2], in[1]);
    out[3] = V::sub(in[1], in[3]);
  });
}

template <class V>
[[gnu::always_inline]] inline void transform_weights(const Grid<V, 3, 3>& from, Grid<V, 4, 4>& to) {
  transform_grid<V, 3, 4>(from, to, [](const auto& in, auto& out) {
    const auto half = V::splat(0.5F);
    const auto outer = V::mul(V::add(in[0], in[2]), half);
    const auto middle = V::mul(in[1], half);
    out[0] = in[0];
    out[1] = V::add(outer, middle);
    out[2] = V::sub(outer, middle);
    out[3] = in[2];
  });
}

template <class V>
[[gnu::always_inline]] inline void transform_sums(const Grid<V, 4, 4>& from, Grid<V, 2, 2>& to) {
  transform_grid<V, 4, 2>(from, to, [](const auto& in, auto& out) {
    out[0] = V::add(V::add(in[0], in[1]), in[2]);
    out[1] = V::sub(V::sub(in[1], in[2]), in[3]);
  });
}

// Loads the weights of V::kLanes channels, 9 each, one after another. Reads nothing beyond them.
template <class V>
[[gnu::always_inline]] inline void load_weights(const float* from, Grid<V, 3, 3>& to) {
  constexpr size_t kWeights = kWinogradKernel * kWinogradKernel;
  constexpr size_t kLoads = (kWeights + V::kLanes - 1) / V::kLanes;
  unroll<kLoads>([&](auto load) {
    constexpr size_t kAt = std::min(load * V::kLanes, kWeights - V::kLanes);
    typename V::F32 square[V::kLanes];
    unroll<V::kLanes>([&](auto c) { square[c] = V::load(from + c * kWeights + kAt); });
    V::transpose(square);
    unroll<V::kLanes>([&](auto i) {
      constexpr size_t kWeight = kAt + i;
      to[kWeight / kWinogradKernel][kWeight % kWinogradKernel] = square[i];
    });
  });
}

}  // namespace ambry::kernels
