// LayerNorm of one row in place: (x - mean) / sqrt(variance + epsilon) * weight + bias.
//
// Two passes with a correction (Chan, Golub, LeVeque): the second pass also sums the deviations
// from the first pass's rounded mean, and that sum corrects mean and variance. A row of equal
// values therefore has deviations of exactly 0. With a rounded mean alone they would be divided by
// almost 0 when epsilon is as small as 1e-12.
#pragma once

#include <cassert>
#include <cmath>
#include <span>

namespace ambry::kernels {

struct Moments {
  float mean;   // rounded
  float shift;  // the true mean minus `mean`
  float variance;
};

template <class V>
[[nodiscard]] Moments moments(std::span<const float> row) {
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  auto sums = V::zero();
  for (size_t i = 0; i < whole; i += V::kLanes) sums = V::add(sums, V::load(&row[i]));
  float sum = V::reduce_add(sums);
  for (size_t i = whole; i < row.size(); ++i) sum += row[i];
  const auto count = static_cast<float>(row.size());
  const float mean = sum / count;

  auto deviations = V::zero();
  auto squares = V::zero();
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto d = V::sub(V::load(&row[i]), V::splat(mean));
    deviations = V::add(deviations, d);
    squares = V::madd(d, d, squares);
  }
  float deviation = V::reduce_add(deviations);
  float square = V::reduce_add(squares);
  for (size_t i = whole; i < row.size(); ++i) {
    const float d = row[i] - mean;
    deviation += d;
    square += d * d;
  }
  const float shift = deviation / count;
  return {mean, shift, std::fmax(square / count - shift * shift, 0.0F)};
}

template <class V>
void layer_norm(std::span<float> row, std::span<const float> weight, std::span<const float> bias,
                float epsilon) {
  assert(weight.size() == row.size() && bias.size() == row.size());
  const Moments m = moments<V>(row);
  const float factor = 1.0F / std::sqrt(m.variance + epsilon);
  const size_t whole = row.size() / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) {
    const auto d = V::sub(V::sub(V::load(&row[i]), V::splat(m.mean)), V::splat(m.shift));
    const auto scaled = V::mul(d, V::splat(factor));
    V::store(&row[i], V::madd(scaled, V::load(&weight[i]), V::load(&bias[i])));
  }
  for (size_t i = whole; i < row.size(); ++i) {
    row[i] = ((row[i] - m.mean) - m.shift) * factor * weight[i] + bias[i];
  }
}

}  // namespace ambry::kernels
