// softmax(scale · Q Kᵀ + bias) V for every head of one sequence. Keys and values of a head are
// packed as the right-hand sides of two GEMMs, so any head size d works. Only kQueryRows rows of
// scores exist at a time: memory grows with the length of the sequence, not with its square.
//
// A bias says what is added to a score (distance_bias.h, disentangled_bias.h). It has
//   head<V>(shape, head, key, stride) -> scores, for one head, with
//     block<V>(queries, begin, first_key) -> the epilogue for a block of scores
// whose first row is query `begin` and whose first column is key `first_key`.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>

#include "kernels/attention/softmax.h"
#include "kernels/gemm/f32_gemm.h"

namespace ambry::kernels {

inline constexpr size_t kQueryRows = 30;  // whole tiles of 5 and of 6
inline constexpr size_t kWholeText = SIZE_MAX;

struct AttentionShape {
  size_t n_tokens;
  size_t n_heads;
  size_t head_dim;
  size_t reach = kWholeText;  // how far to either side a token sees
  float scale = 0;            // of query · key; 0: 1 / √head_dim
  // How many of the first tokens are seen. Each token must see one of them.
  size_t n_keys = kWholeText;
  bool causal = false;  // a token sees none of those after it

  [[nodiscard]] float score_scale() const {
    return scale == 0 ? 1.0F / std::sqrt(static_cast<float>(head_dim)) : scale;
  }
};

// Tokens begin … end - 1.
struct TokenRange {
  size_t begin;
  size_t end;
};

// The keys that the queries begin … end - 1 see.
[[nodiscard]] inline TokenRange visible_keys(const AttentionShape& shape, size_t begin,
                                             size_t end) {
  const size_t after = shape.causal ? 0 : std::min(shape.n_tokens - end, shape.reach);
  return {begin - std::min(begin, shape.reach), std::min(end + after, shape.n_keys)};
}

// Keys in a row of a block of scores, at most. A block begins at a whole panel of keys.
[[nodiscard]] inline size_t scores_in_row(const AttentionShape& shape) {
  constexpr size_t kAround = kQueryRows + kPanelColumns;
  const bool all = shape.n_tokens <= kAround || shape.reach >= (shape.n_tokens - kAround) / 2;
  return all ? shape.n_tokens : 2 * shape.reach + kAround;
}

// Floats of scratch for one sequence: packed keys, packed values and a block of scores.
[[nodiscard]] inline size_t encoder_attention_scratch(const AttentionShape& shape) {
  return n_panels(shape.n_tokens) * kPanelColumns * shape.head_dim +
         n_panels(shape.head_dim) * kPanelColumns * shape.n_tokens +
         std::min(kQueryRows, shape.n_tokens) * scores_in_row(shape);
}

struct NoBias {
  struct HeadScores {
    float scale;

    template <class V>
    [[nodiscard]] Scale block(const MatrixView&, size_t, size_t) const {
      return {scale};
    }
  };

  template <class V>
  [[nodiscard]] HeadScores head(const AttentionShape& shape, size_t, const float*, size_t) const {
    return {shape.score_scale()};
  }
};

// The scores that a query sees become e^(score - max), the others 0. Returns 1 / Σ.
template <class V>
float weigh_row(std::span<float> row, const TokenRange& seen) {
  std::fill(row.begin(), row.begin() + static_cast<ptrdiff_t>(seen.begin), 0.0F);
  std::fill(row.begin() + static_cast<ptrdiff_t>(seen.end), row.end(), 0.0F);
  return exp_row<V>(row.subspan(seen.begin, seen.end - seen.begin));
}

// `keys` and `values` are the packed ones of all tokens.
template <class V, class HeadScores>
void attend_head(const AttentionShape& shape, const MatrixView& query, const float* keys,
                 const float* values, HeadScores head, std::span<float> scores, float* out,
                 size_t out_stride) {
  const size_t d = shape.head_dim;
  float factors[kQueryRows];
  for (size_t begin = 0; begin < query.rows; begin += kQueryRows) {
    const size_t rows = std::min(kQueryRows, query.rows - begin);
    const TokenRange block_keys = visible_keys(shape, begin, begin + rows);
    const size_t first = block_keys.begin / kPanelColumns * kPanelColumns;
    const size_t n = block_keys.end - first;
    const MatrixView block{query.data + begin * query.stride, rows, query.stride};
    f32_gemm<V>(block, PanelView{n, d, keys + first * d}, scores.data(), n,
                head.template block<V>(block, begin, first));
    for (size_t r = 0; r < rows; ++r) {
      const TokenRange seen = visible_keys(shape, begin + r, begin + r + 1);
      factors[r] = weigh_row<V>(scores.subspan(r * n, n), {seen.begin - first, seen.end - first});
    }
    const PanelView some_values{d, n, values + first * kPanelColumns, query.rows};
    f32_gemm<V>(MatrixView{scores.data(), rows, n}, some_values, out + begin * out_stride,
                out_stride, RowScale{factors});
  }
}

// `query`, `key` and `value` each hold n_heads * head_dim values per token, head after head.
// `stride` counts the floats from token to token. The same holds for `out`.
template <class V, class Bias = NoBias>
void encoder_attention(const AttentionShape& shape, const float* query, const float* key,
                       const float* value, size_t stride, float* out, size_t out_stride,
                       std::span<float> scratch, const Bias& bias = {}) {
  assert(scratch.size() >= encoder_attention_scratch(shape));
  const size_t n = shape.n_tokens;
  if (n == 0) return;  // the pointers may be null
  const size_t d = shape.head_dim;
  const std::span<float> keys = scratch.first(n_panels(n) * kPanelColumns * d);
  const std::span<float> values = scratch.subspan(keys.size(), n_panels(d) * kPanelColumns * n);
  const std::span<float> scores = scratch.subspan(keys.size() + values.size());
  for (size_t head = 0; head < shape.n_heads; ++head) {
    const size_t at = head * d;
    pack_f32<V>({key + at, stride, 1}, n, d, keys.data());
    pack_f32<V>({value + at, 1, stride}, d, n, values.data());
    attend_head<V>(shape, MatrixView{query + at, n, stride}, keys.data(), values.data(),
                   bias.template head<V>(shape, head, key + at, stride), scores, out + at,
                   out_stride);
  }
}

}  // namespace ambry::kernels
