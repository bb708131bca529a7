// Rows of floats to and from IEEE 754 binary16, for a KV cache of half the size.
#pragma once

#include <cstdint>
#include <span>

#include "base/half.h"

namespace ambry::kernels {

// Rounds to nearest, ties to even. Values past ±65520 become infinity.
template <class V>
void narrow_to_f16(std::span<const float> row, uint16_t* to) {
  size_t i = 0;
  for (; i + V::kLanes <= row.size(); i += V::kLanes) V::store_f16(to + i, V::load(&row[i]));
  for (; i < row.size(); ++i) to[i] = f32_to_f16(row[i]);
}

// Exact.
template <class V>
void widen_f16(const uint16_t* row, std::span<float> to) {
  size_t i = 0;
  for (; i + V::kLanes <= to.size(); i += V::kLanes) V::store(&to[i], V::load_f16(row + i));
  for (; i < to.size(); ++i) to[i] = f16_to_f32(row[i]);
}

}  // namespace ambry::kernels
