// The step of decoder_attention.h: a few query rows attend to one tile of keys and values, with
// online softmax.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "base/unroll.h"
#include "kernels/attention/soft_cap.h"
#include "kernels/attention/softmax.h"
#include "kernels/quantize/f16_rows.h"
#include "kernels/quantize/int8_rows.h"

namespace ambry::kernels {

inline constexpr size_t kKeyTile = 64;
// Query rows that attend to a tile together.
inline constexpr size_t kQueryTile = 4;
// Sums kept in registers.
inline constexpr size_t kAttentionSums = 8;

struct ScoreOptions {
  float scale;         // of query · key
  float soft_cap = 0;  // 0: none
  size_t window = 0;   // the last positions that a token attends to, its own included; 0: all
  const float* slopes =
      nullptr;  // ALiBi, one per head: score += slope * (key position - query position)
  // 0: a token attends to no later ones. Else it attends to both sides among this many positions,
  // and a window reaches window / 2 positions to either side. Not with slopes.
  uint64_t both_ways = 0;
};

// A KV cache, f32, f16 or int8: position p is row p % n_rows. A page has the keys of `page_rows`
// rows, head after head, and then their values. Before the codes of int8 it has their scales, one
// f32 for each row of a head, in the same order.
template <class T>
struct KvCacheView {
  const T* const* pages;
  size_t page_rows;
  size_t n_rows;
  size_t n_heads;
  size_t head_dim;
};

// Bytes of a page's scales.
template <class T>
[[nodiscard]] constexpr size_t page_scale_bytes(size_t n_heads, size_t page_rows) {
  return std::is_same_v<T, int8_t> ? 2 * n_heads * page_rows * sizeof(float) : 0;
}

// The keys and values of one tile, widened to f32.
struct KeyTile {
  const float* keys[kKeyTile];
  const float* values[kKeyTile];
  uint64_t begin;  // the positions in the tile
  uint64_t end;

  // [begin, end) must lie in one tile.
  template <class V, class T>
  void load(const KvCacheView<T>& cache, size_t head, float* scratch) {
    const size_t d = cache.head_dim;
    const size_t head_size = cache.page_rows * d;
    const size_t before = page_scale_bytes<T>(cache.n_heads, cache.page_rows) / sizeof(T);
    auto row = static_cast<size_t>(begin % cache.n_rows);
    size_t page = row / cache.page_rows;
    size_t row_of_page = row % cache.page_rows;
    const auto first = static_cast<size_t>(begin % kKeyTile);
    const auto n = static_cast<size_t>(end - begin);
    for (size_t i = first; i < first + n; ++i) {
      const T* key = cache.pages[page] + before + head * head_size + row_of_page * d;
      const T* value = key + cache.n_heads * head_size;
      if constexpr (std::is_same_v<T, float>) {
        keys[i] = key;
        values[i] = value;
      } else {
        float* widened = scratch + 2 * i * d;
        if constexpr (std::is_same_v<T, int8_t>) {
          const auto* scale = reinterpret_cast<const float*>(cache.pages[page]) +
                              head * cache.page_rows + row_of_page;
          widen_int8<V>(key, scale[0], {widened, d});
          widen_int8<V>(value, scale[cache.n_heads * cache.page_rows], {widened + d, d});
        } else {
          widen_f16<V>(key, {widened, d});
          widen_f16<V>(value, {widened + d, d});
        }
        keys[i] = widened;
        values[i] = widened + d;
      }
      if (++row == cache.n_rows) {
        row = page = row_of_page = 0;
      } else if (++row_of_page == cache.page_rows) {
        row_of_page = 0;
        ++page;
      }
    }
  }
};

// One head of one token while its tiles are processed.
struct QueryState {
  const float* query;
  float* sums;   // weighted sums of the values, head_dim of them
  float* state;  // the largest score so far and Σ e^(score - largest)
  float slope;
  uint64_t position;
  uint64_t first_visible;
  uint64_t end_visible;
};

// scores[r][i] = query of row r · key i, for keys [begin, end) of the tile.
template <class V, size_t kRows, size_t kKeys>
size_t multiply_keys(const QueryState* rows, const KeyTile& tile, size_t begin, size_t end,
                     size_t head_dim, float (*scores)[kKeyTile]) {
  const size_t whole = head_dim / V::kLanes * V::kLanes;
  for (; begin + kKeys <= end; begin += kKeys) {
    typename V::F32 sums[kRows][kKeys];
    unroll<kRows>([&](auto r) { unroll<kKeys>([&](auto k) { sums[r][k] = V::zero(); }); });
    for (size_t i = 0; i < whole; i += V::kLanes) {
      typename V::F32 keys[kKeys];
      unroll<kKeys>([&](auto k) { keys[k] = V::load(tile.keys[begin + k] + i); });
      unroll<kRows>([&](auto r) {
        const auto query = V::load(rows[r].query + i);
        unroll<kKeys>([&](auto k) { sums[r][k] = V::madd(query, keys[k], sums[r][k]); });
      });
    }
    unroll<kRows>([&](auto r) {
      unroll<kKeys>([&](auto k) {
        float sum = V::reduce_add(sums[r][k]);
        const float* key = tile.keys[begin + k];
        for (size_t i = whole; i < head_dim; ++i) sum += rows[r].query[i] * key[i];
        scores[r][begin + k] = sum;
      });
    });
  }
  return begin;
}

// sums[i..) = sums[i..) * factor + Σ weight of key k * value k, kVectors vectors at a time.
template <class V, size_t kRows, size_t kVectors>
size_t add_values(const QueryState* rows, const KeyTile& tile, size_t begin, size_t end,
                  size_t head_dim, const float (*weights)[kKeyTile], const float* factors,
                  size_t at) {
  constexpr size_t kStep = kVectors * V::kLanes;
  for (; at + kStep <= head_dim; at += kStep) {
    typename V::F32 sums[kRows][kVectors];
    unroll<kRows>([&](auto r) {
      const auto factor = V::splat(factors[r]);
      unroll<kVectors, kLoopOverVectors<V>>(
          [&](auto v) { sums[r][v] = V::mul(V::load(rows[r].sums + at + v * V::kLanes), factor); });
    });
    for (size_t k = begin; k < end; ++k) {
      typename V::F32 values[kVectors];
      unroll<kVectors, kLoopOverVectors<V>>(
          [&](auto v) { values[v] = V::load(tile.values[k] + at + v * V::kLanes); });
      unroll<kRows>([&](auto r) {
        const auto weight = V::splat(weights[r][k]);
        unroll<kVectors, kLoopOverVectors<V>>(
            [&](auto v) { sums[r][v] = V::madd(weight, values[v], sums[r][v]); });
      });
    }
    unroll<kRows>([&](auto r) {
      unroll<kVectors, kLoopOverVectors<V>>(
          [&](auto v) { V::store(rows[r].sums + at + v * V::kLanes, sums[r][v]); });
    });
  }
  return at;
}

// Turns the scores of keys [begin, end) of the tile at position `tile` into weights, e^(score -
// largest score so far). Keys that the row must not attend to get weight 0. `begin` and `end` are
// multiples of kLanes. Returns the factor for the sums so far.
template <class V>
float softmax_scores(const ScoreOptions& options, const QueryState& row, uint64_t tile,
                     size_t begin, size_t end, float* scores) {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  const auto within = [&](uint64_t position) {
    return static_cast<size_t>(std::clamp(position, tile + begin, tile + end) - tile);
  };
  const size_t first = within(row.first_visible);
  const size_t last = within(row.end_visible);
  if (first >= last) {
    std::fill(scores + begin, scores + end, 0.0F);
    return 1.0F;
  }
  const std::span<float> all(scores + begin, end - begin);
  map_row<V>(all, [&](typename V::F32 x) {
    const auto scaled = V::mul(x, V::splat(options.scale));
    return options.soft_cap == 0 ? scaled : soft_capped<V>(scaled, options.soft_cap);
  });
  if (row.slope != 0) {
    for (size_t i = first; i < last; ++i) {
      scores[i] -= row.slope * static_cast<float>(row.position - (tile + i));
    }
  }
  std::fill(scores + begin, scores + first, kMasked);
  std::fill(scores + last, scores + end, kMasked);
  const float before = row.state[0];
  const float maximum = std::max(before, row_max<V>(all));
  auto sums = V::zero();
  map_row<V>(all, [&](typename V::F32 x) {
    const auto e = exp_of_negative<V>(V::sub(x, V::splat(maximum)));
    sums = V::add(sums, e);
    return e;
  });
  float change[V::kLanes];
  V::store(change, exp_of_negative<V>(V::splat(before - maximum)));
  row.state[0] = maximum;
  row.state[1] = row.state[1] * change[0] + V::reduce_add(sums);
  return change[0];
}

// Lets kRows query rows attend to one tile.
template <class V, size_t kRows>
void attend_tile(const ScoreOptions& options, const QueryState* rows, const KeyTile& tile,
                 size_t head_dim) {
  // The first row sees the furthest back, the last row the furthest ahead.
  const uint64_t from = std::max(tile.begin, rows[0].first_visible);
  const uint64_t until = std::min(tile.end, rows[kRows - 1].end_visible);
  if (from >= until) return;
  const uint64_t start = from / kKeyTile * kKeyTile;
  const auto begin = static_cast<size_t>(from - start);
  const auto end = static_cast<size_t>(until - start);
  alignas(16) float scores[kRows][kKeyTile];
  constexpr size_t kWide = kAttentionSums / kRows;
  const size_t rest = multiply_keys<V, kRows, kWide>(rows, tile, begin, end, head_dim, scores);
  multiply_keys<V, kRows, 1>(rows, tile, rest, end, head_dim, scores);
  float factors[kRows];
  const size_t first = begin / V::kLanes * V::kLanes;
  const size_t last = (end + V::kLanes - 1) / V::kLanes * V::kLanes;
  for (size_t r = 0; r < kRows; ++r) {
    std::fill(scores[r] + first, scores[r] + begin, 0.0F);
    std::fill(scores[r] + end, scores[r] + last, 0.0F);
    factors[r] = softmax_scores<V>(options, rows[r], start, first, last, scores[r]);
  }
  size_t at = add_values<V, kRows, kWide>(rows, tile, begin, end, head_dim, scores, factors, 0);
  at = add_values<V, kRows, 1>(rows, tile, begin, end, head_dim, scores, factors, at);
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t i = at; i < head_dim; ++i) {
      float sum = rows[r].sums[i] * factors[r];
      for (size_t k = begin; k < end; ++k) sum += scores[r][k] * tile.values[k][i];
      rows[r].sums[i] = sum;
    }
  }
}

// Lets n query rows attend to one tile, 1 <= n <= kRows.
template <class V, size_t kRows = kQueryTile>
void attend_rows(size_t n, const ScoreOptions& options, const QueryState* rows, const KeyTile& tile,
                 size_t head_dim) {
  if constexpr (kRows > 1) {
    if (n < kRows) return attend_rows<V, kRows - 1>(n, options, rows, tile, head_dim);
  }
  attend_tile<V, kRows>(options, rows, tile, head_dim);
}

}  // namespace ambry::kernels
