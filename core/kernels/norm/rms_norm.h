// RMSNorm of one row: x / sqrt(mean(x²) + epsilon) * weight. Gemma stores its weights minus 1; the
// caller adds the 1.
#pragma once

#include <cassert>
#include <cmath>
#include <span>

namespace ambry::kernels {

// `to` may be the row itself.
template <class V>
void rms_norm(std::span<const float> row, std::span<const float> weight, float epsilon, float* to) {
  assert(weight.size() == row.size());
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  auto squares = V::zero();
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto x = V::load(&row[i]);
    squares = V::madd(x, x, squares);
  }
  float sum = V::reduce_add(squares);
  for (size_t i = whole; i < row.size(); ++i) sum += row[i] * row[i];
  const float factor = 1.0F / std::sqrt(sum / static_cast<float>(row.size()) + epsilon);
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto scaled = V::mul(V::load(&row[i]), V::splat(factor));
    V::store(to + i, V::mul(scaled, V::load(&weight[i])));
  }
  for (size_t i = whole; i < row.size(); ++i) to[i] = row[i] * factor * weight[i];
}

}  // namespace ambry::kernels
