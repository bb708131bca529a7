// The bias of DeBERTa's disentangled attention (He, Liu, Gao and Chen, "DeBERTa", 2020), for
// encoder_attention.h: products of the query with the key of the distance (content to position),
// and of the key with the query of the distance (position to content), scaled as query · key is.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/attention/encoder_attention.h"

namespace ambry::kernels {

// The sum of up to three scores, scaled.
struct DisentangledSum {
  float factor;
  size_t n_places;
  const float* to_places;    // [row][place]; nullptr: none
  const float* from_places;  // [column][place]; nullptr: none
  const uint32_t* places;    // of the first row and the first column

  template <class V>
  typename V::F32 apply(typename V::F32 sums, size_t row, size_t column, size_t n) const {
    const uint32_t* at = places + static_cast<ptrdiff_t>(column) - static_cast<ptrdiff_t>(row);
    float more[V::kLanes] = {};
    for (size_t i = 0; to_places != nullptr && i < n; ++i) {
      more[i] += to_places[row * n_places + at[i]];
    }
    for (size_t i = 0; from_places != nullptr && i < n; ++i) {
      more[i] += from_places[(column + i) * n_places + at[i]];
    }
    return V::mul(V::add(sums, V::load(more)), V::splat(factor));
  }
};

struct DisentangledBias {
  // Keys and queries of the distances, one a place: n_heads * head_dim values, head after head.
  // nullptr: the model has none.
  const float* keys = nullptr;
  const float* queries = nullptr;
  size_t stride = 0;
  size_t n_places = 0;
  // The place of each distance key - query. `places` points to distance 0.
  const uint32_t* places = nullptr;
  std::span<float> scratch;

  // Floats of scratch for one sequence.
  [[nodiscard]] static uint64_t scratch_size(const AttentionShape& shape, uint64_t n_places) {
    const uint64_t packed = n_panels(static_cast<size_t>(n_places)) * kPanelColumns;
    return packed * shape.head_dim + (kQueryRows + shape.n_tokens) * n_places;
  }

  struct HeadScores {
    DisentangledSum sum;
    PanelView keys;    // packed
    float* to_places;  // kQueryRows rows; nullptr: none

    // Queries of the block's rows with the keys of all places, and then the block's own part.
    template <class V>
    [[nodiscard]] DisentangledSum block(const MatrixView& queries, size_t begin,
                                        size_t first_key) const {
      DisentangledSum made = sum;
      if (to_places != nullptr) {
        f32_gemm<V>(queries, keys, to_places, sum.n_places, Scale{1.0F});
      }
      if (made.from_places != nullptr) made.from_places += first_key * sum.n_places;
      made.places += static_cast<ptrdiff_t>(first_key) - static_cast<ptrdiff_t>(begin);
      return made;
    }
  };

  template <class V>
  [[nodiscard]] HeadScores head(const AttentionShape& shape, size_t head, const float* key,
                                size_t key_stride) const {
    assert(scratch.size() >= scratch_size(shape, n_places));
    const size_t d = shape.head_dim;
    float* packed = scratch.data();
    float* to_places = packed + n_panels(n_places) * kPanelColumns * d;
    float* from_places = to_places + kQueryRows * n_places;
    const PanelView panels{n_places, d, packed};
    DisentangledSum sum{shape.score_scale(), n_places, nullptr, nullptr, places};
    if (queries != nullptr) {
      pack_f32<V>({queries + head * d, stride, 1}, n_places, d, packed);
      f32_gemm<V>(MatrixView{key, shape.n_tokens, key_stride}, panels, from_places, n_places,
                  Scale{1.0F});
      sum.from_places = from_places;
    }
    if (keys != nullptr) {
      pack_f32<V>({keys + head * d, stride, 1}, n_places, d, packed);
      sum.to_places = to_places;
    }
    return {sum, panels, keys == nullptr ? nullptr : to_places};
  }
};

}  // namespace ambry::kernels
