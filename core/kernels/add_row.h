// Adds one row of floats to another: embeddings, residuals, biases.
#pragma once

#include <cassert>
#include <span>

namespace ambry::kernels {

template <class V>
void add_row(std::span<const float> row, std::span<float> to) {
  assert(row.size() == to.size());
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) {
    V::store(&to[i], V::add(V::load(&to[i]), V::load(&row[i])));
  }
  for (; i < to.size(); ++i) to[i] += row[i];
}

}  // namespace ambry::kernels
