// softmax(Q Kᵀ / sqrt(d)) V for every head of one sequence. Keys and values of a head are packed as
// the right-hand sides of two GEMMs, so any head size d works. Only kQueryRows rows of scores exist
// at a time: memory grows with the length of the sequence, not with its square.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "kernels/attention/softmax.h"
#include "kernels/gemm/f32_gemm.h"

namespace ambry::kernels {

inline constexpr size_t kQueryRows = 30;  // whole tiles of 5 and of 6

struct AttentionShape {
  size_t n_tokens;
  size_t n_heads;
  size_t head_dim;
};

// Floats of scratch for one sequence: packed keys, packed values and a block of scores.
[[nodiscard]] inline size_t encoder_attention_scratch(const AttentionShape& shape) {
  return n_panels(shape.n_tokens) * kPanelColumns * shape.head_dim +
         n_panels(shape.head_dim) * kPanelColumns * shape.n_tokens +
         std::min(kQueryRows, shape.n_tokens) * shape.n_tokens;
}

template <class V>
void attend_head(const MatrixView& query, const PanelView& keys, const PanelView& values,
                 std::span<float> scores, float* out, size_t out_stride) {
  const Scale scale{1.0F / std::sqrt(static_cast<float>(keys.k))};
  float factors[kQueryRows];
  for (size_t begin = 0; begin < query.rows; begin += kQueryRows) {
    const size_t rows = std::min(kQueryRows, query.rows - begin);
    const MatrixView block{query.data + begin * query.stride, rows, query.stride};
    f32_gemm<V>(block, keys, scores.data(), keys.n, scale);
    for (size_t r = 0; r < rows; ++r) factors[r] = exp_row<V>(scores.subspan(r * keys.n, keys.n));
    f32_gemm<V>(MatrixView{scores.data(), rows, keys.n}, values, out + begin * out_stride,
                out_stride, RowScale{factors});
  }
}

// `query`, `key` and `value` each hold n_heads * head_dim values per token, head after head.
// `stride` counts the floats from token to token. The same holds for `out`.
template <class V>
void encoder_attention(const AttentionShape& shape, const float* query, const float* key,
                       const float* value, size_t stride, float* out, size_t out_stride,
                       std::span<float> scratch) {
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
    attend_head<V>(MatrixView{query + at, n, stride}, PanelView{n, d, keys.data()},
                   PanelView{d, n, values.data()}, scores, out + at, out_stride);
  }
}

}  // namespace ambry::kernels
