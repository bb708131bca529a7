// to += factor * row, for rows of f32, f16 and int8: sums of embeddings, whose rows are widened on
// the way and never as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/half.h"

namespace ambry::kernels {

template <class V>
void add_scaled_row(const float* row, float factor, std::span<float> to) {
  const auto times = V::splat(factor);
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::madd(V::load(row + i), times, V::load(&to[i])));
  }
  for (; i < to.size(); ++i) to[i] += row[i] * factor;
}

template <class V>
void add_scaled_row(const uint16_t* row, float factor, std::span<float> to) {
  const auto times = V::splat(factor);
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::madd(V::load_f16(row + i), times, V::load(&to[i])));
  }
  for (; i < to.size(); ++i) to[i] += f16_to_f32(row[i]) * factor;
}

template <class V>
void add_scaled_row(const int8_t* row, float factor, std::span<float> to) {
  const auto times = V::splat(factor);
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::madd(V::load_i8(row + i), times, V::load(&to[i])));
  }
  for (; i < to.size(); ++i) to[i] += static_cast<float>(row[i]) * factor;
}

}  // namespace ambry::kernels
