// Dot products and lengths of word vectors in the Rust reference's own order of summation
// (core/formats/finalfusion/README.md#normalization): eight sums over strides of eight, added
// pairwise, then the rest from left to right. Its files are reproduced bit for bit by this order
// and by no other, so nothing here may be fused or reassociated.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <span>

namespace ambry::tensor {

[[nodiscard]] inline float word_dot(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  constexpr size_t kSums = 8;
  std::array<float, kSums> sums{};
  size_t i = 0;
  for (; i + kSums <= a.size(); i += kSums) {
    for (size_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  float sum = 0.0F;
  for (size_t j = 0; j < kSums / 2; ++j) sum += sums[j] + sums[j + kSums / 2];
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Brings the vector to length 1 and returns the length that it had. A vector of length 0 stays.
inline float normalize_word(std::span<float> vector) {
  const float norm = std::sqrt(word_dot(vector, vector));
  if (norm == 0.0F) return norm;
  for (float& x : vector) x /= norm;
  return norm;
}

}  // namespace ambry::tensor
