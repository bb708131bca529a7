// A bias of encoder_attention.h that depends on the head and on the distance of the key from the
// query: ALiBi's slopes, or the learned biases of T5 and MPNet.
#pragma once

#include <cstddef>

#include "kernels/attention/encoder_attention.h"

namespace ambry::kernels {

// Scales the scores and adds the bias of their distance. `biases` is the one of the first row and
// the first column.
struct ScaleAndDistance {
  float factor;
  const float* biases;

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t row, size_t column, size_t n) const {
    const float* from = biases + static_cast<ptrdiff_t>(column) - static_cast<ptrdiff_t>(row);
    const auto bias = n == V::kLanes ? V::load(from) : V::load_partial(from, n);
    return V::madd(sums, V::splat(factor), bias);
  }
};

// Row `head` of the table has the bias of each distance key - query, from -center on.
struct DistanceBias {
  const float* table = nullptr;
  size_t row_size = 0;
  size_t center = 0;

  struct HeadScores {
    float scale;
    const float* at_0;

    template <class V>
    [[nodiscard]] ScaleAndDistance block(const MatrixView&, size_t begin, size_t first_key) const {
      return {scale, at_0 + static_cast<ptrdiff_t>(first_key) - static_cast<ptrdiff_t>(begin)};
    }
  };

  template <class V>
  [[nodiscard]] HeadScores head(const AttentionShape& shape, size_t head, const float*,
                                size_t) const {
    return {shape.score_scale(), table + head * row_size + center};
  }
};

}  // namespace ambry::kernels
