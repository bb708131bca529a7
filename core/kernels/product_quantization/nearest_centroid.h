// Finds the nearest centroid of each of many points by squared Euclidean distance; the first of
// equally near ones. Points lie in the lanes, so every instruction set does the same arithmetic for
// a point and finds the same centroid.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/unroll.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::kernels {

// The dimensions of small slices are template constants, so that their points stay in registers
// from one centroid to the next. That halves the time.
inline constexpr size_t kAnyDims = 0;

template <class V, size_t kDims>
void nearest_of_panel_as(const float* panel, std::span<const float> centroids, size_t any_dims,
                         uint8_t* codes) {
  constexpr size_t kVectors = kPanelColumns / V::kLanes;
  const size_t dims = kDims == kAnyDims ? any_dims : kDims;
  typename V::F32 least[kVectors];
  typename V::F32 nearest[kVectors];  // as floats: indices are small enough
  unroll<kVectors>([&](auto v) {
    least[v] = V::splat(std::numeric_limits<float>::infinity());
    nearest[v] = V::zero();
  });
  auto index = V::zero();
  const float* const end = centroids.data() + centroids.size();
  for (const float* centroid = centroids.data(); centroid != end; centroid += dims) {
    typename V::F32 distance[kVectors];
    const auto square = [&](auto v, size_t i) {
      const auto x = V::load(panel + i * kPanelColumns + v * V::kLanes);
      const auto difference = V::sub(x, V::splat(centroid[i]));
      return V::mul(difference, difference);
    };
    unroll<kVectors>([&](auto v) { distance[v] = square(v, 0); });
    const auto add_square = [&](size_t i) {
      unroll<kVectors>([&](auto v) { distance[v] = V::add(distance[v], square(v, i)); });
    };
    if constexpr (kDims == kAnyDims) {
      for (size_t i = 1; i < dims; ++i) add_square(i);
    } else {
      unroll<kDims - 1>([&](auto i) { add_square(i + 1); });
    }
    unroll<kVectors>([&](auto v) {
      const auto nearer = V::less(distance[v], least[v]);
      least[v] = V::select(nearer, distance[v], least[v]);
      nearest[v] = V::select(nearer, index, nearest[v]);
    });
    index = V::add(index, V::splat(1.0F));
  }
  std::array<float, kPanelColumns> found{};
  unroll<kVectors>([&](auto v) { V::store(found.data() + v * V::kLanes, nearest[v]); });
  for (size_t i = 0; i < kPanelColumns; ++i) codes[i] = static_cast<uint8_t>(found[i]);
}

// `panel` holds kPanelColumns points as pack_panels() packs them: their first elements, their
// second elements, …, `dims` of them. `centroids` are rows of `dims` values.
template <class V>
void nearest_of_panel(const float* panel, std::span<const float> centroids, size_t dims,
                      uint8_t* codes) {
  assert(dims > 0 && centroids.size() <= 256 * dims);
  switch (dims) {
    case 1:
      return nearest_of_panel_as<V, 1>(panel, centroids, dims, codes);
    case 2:
      return nearest_of_panel_as<V, 2>(panel, centroids, dims, codes);
    case 4:
      return nearest_of_panel_as<V, 4>(panel, centroids, dims, codes);
    default:
      return nearest_of_panel_as<V, kAnyDims>(panel, centroids, dims, codes);
  }
}

}  // namespace ambry::kernels
