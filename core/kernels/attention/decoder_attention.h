// Attention, mostly causal, of a few new tokens over a KV cache, for every head of a layer:
// grouped-query attention, a sliding window over a ring of rows, ALiBi, soft-capped scores.
//
// Keys come in tiles of kKeyTile positions. For each tile, softmax continues from the maximum and
// the sum so far (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018), so a
// full row of scores never exists. Tiles start at multiples of kKeyTile and masked keys weigh
// exactly 0, so a token's result has the same bits whichever tokens are processed with it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "kernels/attention/attention_tile.h"

namespace ambry::kernels {

struct AttentionHeads {
  size_t n_heads;
  size_t n_kv_heads;  // divides n_heads
  size_t head_dim;
};

// Adjacent key-value heads: what one thread computes.
struct KvHeadRange {
  size_t begin;
  size_t end;
};

// Queries of adjacent positions and the place for their results. Both hold the heads one after
// another.
struct QueryBatch {
  const float* queries;
  size_t stride;
  float* out;
  size_t out_stride;
  size_t n;
  uint64_t first_position;
};

// Floats of scratch for `n` queries.
[[nodiscard]] constexpr size_t decoder_attention_scratch(const AttentionHeads& heads, size_t n) {
  const size_t group = heads.n_heads / heads.n_kv_heads;
  return n * group * (heads.head_dim + 2) + 2 * kKeyTile * heads.head_dim;
}

// Loads a tile of one key-value head. A pointer, so that the code around it is there once and not
// for each type of the cache.
struct TileLoader {
  void (*load)(const void* cache, size_t kv_head, float* widened, KeyTile& tile);
  const void* cache;
};

struct VisiblePositions {
  uint64_t first;
  uint64_t end;
};

// What the token at `position` attends to.
[[nodiscard]] inline VisiblePositions visible_positions(const ScoreOptions& options,
                                                        uint64_t position) {
  const uint64_t window = options.window;
  if (options.both_ways == 0) {
    return {window == 0 || position < window ? 0 : position + 1 - window, position + 1};
  }
  if (window == 0) return {0, options.both_ways};
  const uint64_t reach = window / 2;
  return {position - std::min(position, reach), std::min(options.both_ways, position + reach + 1)};
}

// One key-value head and the query heads that share it.
template <class V>
void attend_group(const AttentionHeads& heads, const ScoreOptions& options,
                  const QueryBatch& queries, const TileLoader& loader, size_t kv_head,
                  std::span<float> scratch) {
  const size_t group = heads.n_heads / heads.n_kv_heads;
  const size_t d = heads.head_dim;
  const size_t n_rows = queries.n * group;
  float* sums = scratch.data();
  float* states = sums + n_rows * d;
  float* widened = states + 2 * n_rows;
  std::fill_n(sums, n_rows * d, 0.0F);
  for (size_t i = 0; i < n_rows; ++i) {
    states[2 * i] = -std::numeric_limits<float>::infinity();
    states[2 * i + 1] = 0.0F;
  }
  const auto row_at = [&](size_t i) {
    const size_t head = kv_head * group + i % group;
    const uint64_t position = queries.first_position + i / group;
    const auto [first, end] = visible_positions(options, position);
    return QueryState{queries.queries + i / group * queries.stride + head * d,
                      sums + i * d,
                      states + 2 * i,
                      options.slopes == nullptr ? 0.0F : options.slopes[head],
                      position,
                      first,
                      end};
  };
  const uint64_t end = row_at(n_rows - 1).end_visible;
  KeyTile tile;
  for (tile.begin = row_at(0).first_visible; tile.begin < end; tile.begin = tile.end) {
    tile.end = std::min((tile.begin / kKeyTile + 1) * kKeyTile, end);
    loader.load(loader.cache, kv_head, widened, tile);
    for (size_t i = 0; i < n_rows; i += kQueryTile) {
      QueryState rows[kQueryTile];
      const size_t n = std::min(kQueryTile, n_rows - i);
      for (size_t r = 0; r < n; ++r) rows[r] = row_at(i + r);
      attend_rows<V>(n, options, rows, tile, d);
    }
  }
  for (size_t i = 0; i < n_rows; ++i) {
    float* out = queries.out + i / group * queries.out_stride + (kv_head * group + i % group) * d;
    const float factor = 1.0F / states[2 * i + 1];
    for (size_t c = 0; c < d; ++c) out[c] = sums[i * d + c] * factor;
  }
}

// The cache must hold the keys and values of all positions that the queries attend to. So the ring
// has at least window + n - 1 rows, or without a window as many rows as there are positions. A
// score of NaN or infinity makes the row's result NaN. Only the queries of some key-value heads are
// computed; threads that compute those of others may run at the same time, each with scratch of its
// own.
template <class V, class T>
void decoder_attention(const AttentionHeads& heads, const ScoreOptions& options,
                       const QueryBatch& queries, const KvCacheView<T>& cache,
                       const KvHeadRange& kv_heads, std::span<float> scratch) {
  assert(scratch.size() >= decoder_attention_scratch(heads, queries.n));
  const auto load = [](const void* from, size_t kv_head, float* widened, KeyTile& tile) {
    tile.template load<V>(*static_cast<const KvCacheView<T>*>(from), kv_head, widened);
  };
  for (size_t kv_head = kv_heads.begin; kv_head < kv_heads.end; ++kv_head) {
    attend_group<V>(heads, options, queries, {load, &cache}, kv_head, scratch);
  }
}

}  // namespace ambry::kernels
