// The encoders behind encode_blocks(), each of one block. The numbers are finite. They return false
// when the f16 of the block's scale is infinite.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor/codec/blocks/k_quant_blocks.h"

namespace ambry::tensor {

// `importance` is null, or says of each number how much the square of its error counts: finite, and
// not negative.
using EncodeBlock = bool(const float* values, const float* importance, uint8_t* block);

EncodeBlock encode_q8_0;                            // q8_0_encoder.cpp
EncodeBlock encode_q2_k, encode_q4_k, encode_q5_k;  // minima_encoder.cpp
EncodeBlock encode_q3_k, encode_q6_k;               // signed_encoder.cpp

// A whole number and its neighbors, the first choice first.
inline constexpr std::array<float, 3> kNearby = {0, -1, 1};

// So often at most are scales fitted to the codes that they gave.
inline constexpr int kRefits = 4;

// The weights of the errors of a block, by importance, with a mean of 1. Without it large numbers
// count more, because they do more in a product and there are few of them: the weight is the
// magnitude, and the root of the mean square of its `group` of numbers.
[[nodiscard]] std::array<float, kSuperBlock> block_weights(const float* values, size_t group,
                                                           const float* importance);

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
