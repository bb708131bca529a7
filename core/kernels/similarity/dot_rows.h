// Dot products of one vector with many rows, with the same bits as tensor::word_dot in every
// instruction set: eight sums with stride eight, no fused multiply-add.
#pragma once

#include <cstddef>
#include <span>

#include "base/unroll.h"

namespace ambry::kernels {

template <class V>
float dot_row(const float* row, const float* query, size_t dim) {
  constexpr size_t kSums = 8;
  constexpr size_t kVectors = kSums / V::kLanes;
  static_assert(kVectors % 2 == 0);
  typename V::F32 sums[kVectors];
  unroll<kVectors>([&](auto v) { sums[v] = V::zero(); });
  const auto add_stride = [&](size_t at) {
    unroll<kVectors>([&](auto v) {
      const size_t i = at + v * V::kLanes;
      sums[v] = V::add(sums[v], V::mul(V::load(row + i), V::load(query + i)));
    });
  };
  // One row at a time in long steps is as fast as the memory. Several rows side by side would hide
  // the latency of the additions, but took half as long again.
  constexpr size_t kStrides = 4;
  for (; dim >= kStrides * kSums; dim -= kStrides * kSums) {
    unroll<kStrides>([&](auto stride) { add_stride(stride * kSums); });
    row += kStrides * kSums;
    query += kStrides * kSums;
  }
  for (; dim >= kSums; dim -= kSums) {
    add_stride(0);
    row += kSums;
    query += kSums;
  }
  constexpr size_t kHalf = kVectors / 2;
  float pairs[kSums / 2];
  unroll<kHalf>([&](auto v) { V::store(pairs + v * V::kLanes, V::add(sums[v], sums[v + kHalf])); });
  float sum = 0.0F;
  for (const float pair : pairs) sum += pair;
  for (size_t i = 0; i < dim; ++i) sum += row[i] * query[i];
  return sum;
}

// `rows` are scores.size() rows of query.size() values.
template <class V>
void dot_rows(const float* rows, std::span<const float> query, std::span<float> scores) {
  for (float& score : scores) {
    score = dot_row<V>(rows, query.data(), query.size());
    rows += query.size();
  }
}

// Uses the instruction set of this build; compiled for speed.
void dot_rows(const float* rows, std::span<const float> query, std::span<float> scores);

}  // namespace ambry::kernels
