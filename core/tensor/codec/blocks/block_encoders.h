// The encoders behind encode_blocks(), each of one block. The numbers are finite. They return false
// when the f16 of the block's scale is infinite.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ambry::tensor {

using EncodeBlock = bool(const float* values, uint8_t* block);

EncodeBlock encode_q8_0;  // q8_0_encoder.cpp
EncodeBlock encode_q4_k;  // q4_k_encoder.cpp
EncodeBlock encode_q6_k;  // q6_k_encoder.cpp

// A whole number and its neighbors, the first choice first.
inline constexpr std::array<float, 3> kNearby = {0, -1, 1};

// The sum of n terms, in an order that can be computed with vectors of four.
template <size_t n, class Term>
[[nodiscard]] float sum_of(const Term& term) {
  constexpr size_t kLanes = 4;
  static_assert(n % kLanes == 0);
  std::array<float, kLanes> sums{};
  for (size_t i = 0; i < n; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(i + lane);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace ambry::tensor
