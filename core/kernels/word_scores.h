// The dot products of one vector with many rows, bit for bit those of tensor::word_dot in every
// instruction set: eight sums over strides of eight, nothing fused. Four rows go together, so that
// the sums' additions do not wait for each other and the memory sets the pace.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/unroll.h"

namespace ambry::kernels {

template <class V, size_t kRows>
void score_rows_together(const float* rows, size_t dim, const float* query, float* scores) {
  constexpr size_t kSums = 8;
  constexpr size_t kVectors = kSums / V::kLanes;
  static_assert(kVectors % 2 == 0);
  typename V::F32 sums[kRows][kVectors];
  unroll<kRows>([&](auto r) { unroll<kVectors>([&](auto v) { sums[r][v] = V::zero(); }); });
  size_t i = 0;
  for (; i + kSums <= dim; i += kSums) {
    unroll<kVectors>([&](auto v) {
      const size_t at = i + v * V::kLanes;
      const auto factor = V::load(query + at);
      unroll<kRows>([&](auto r) {
        sums[r][v] = V::add(sums[r][v], V::mul(V::load(rows + r * dim + at), factor));
      });
    });
  }
  for (size_t r = 0; r < kRows; ++r) {
    constexpr size_t kHalf = kVectors / 2;
    float pairs[kSums / 2];
    unroll<kHalf>(
        [&](auto v) { V::store(pairs + v * V::kLanes, V::add(sums[r][v], sums[r][v + kHalf])); });
    float sum = 0.0F;
    for (const float pair : pairs) sum += pair;
    for (size_t j = i; j < dim; ++j) sum += rows[r * dim + j] * query[j];
    scores[r] = sum;
  }
}

// `rows` are scores.size() rows of query.size() numbers.
template <class V>
void score_rows(const float* rows, std::span<const float> query, std::span<float> scores) {
  constexpr size_t kTogether = 4;
  const size_t dim = query.size();
  size_t row = 0;
  for (; row + kTogether <= scores.size(); row += kTogether) {
    score_rows_together<V, kTogether>(rows + row * dim, dim, query.data(), &scores[row]);
  }
  for (; row < scores.size(); ++row) {
    score_rows_together<V, 1>(rows + row * dim, dim, query.data(), &scores[row]);
  }
}

// With the instructions of this build; compiled for speed.
void score_rows(const float* rows, std::span<const float> query, std::span<float> scores);

}  // namespace ambry::kernels
