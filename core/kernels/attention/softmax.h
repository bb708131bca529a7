// softmax in place: e^(x - max) / Σ. A NaN or +infinity makes the whole row NaN, as in PyTorch.
#pragma once

#include <limits>
#include <span>

#include "kernels/activation/exp.h"
#include "simd/isa.h"

namespace ambry::kernels {

template <class V>
[[nodiscard]] float row_max(std::span<const float> row) {
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  auto best = V::splat(-std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < whole; i += V::kLanes) best = V::max(best, V::load(&row[i]));
  float result = V::reduce_max(best);
  for (size_t i = whole; i < row.size(); ++i) result = result < row[i] ? row[i] : result;
  return result;
}

// row = e^(row - max). Returns 1 / Σ, by which the caller still has to multiply the row.
template <class V>
[[gnu::noinline]] float exp_row(std::span<float> row) {
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  const size_t rest = row.size() - whole;
  const auto top = V::splat(row_max<V>(row));
  auto sums = V::zero();
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto e = exp_of_negative<V>(V::sub(V::load(&row[i]), top));
    V::store(&row[i], e);
    sums = V::add(sums, e);
  }
  float sum = V::reduce_add(sums);
  if (rest > 0) {
    const auto e = exp_of_negative<V>(V::sub(V::load_partial(&row[whole], rest), top));
    V::store_partial(&row[whole], rest, e);
    for (size_t i = whole; i < row.size(); ++i) sum += row[i];
  }
  return 1.0F / sum;
}

// Compiled for speed in kernels/instantiations.cpp.
extern template float exp_row<simd::Best>(std::span<float>);

template <class V>
void softmax(std::span<float> row) {
  const float factor = exp_row<V>(row);
  for (float& x : row) x *= factor;
}

}  // namespace ambry::kernels
