#include "search/exact_top_k.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "base/top_k.h"
#include "kernels/similarity/dot.h"
#include "search/int8_query.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// A row as one integer, higher is better: first the rank, with NaN lowest, then the lower row.
struct Candidate {
  uint64_t key;
  float score;
};

struct RanksHigher {
  bool operator()(const Candidate& a, const Candidate& b) const { return a.key > b.key; }
};

// Maps floats to integers of the same order; NaN to 0.
uint32_t order_of(float rank) {
  if (std::isnan(rank)) return 0;
  constexpr uint32_t kSign = 0x80000000U;
  const auto bits = std::bit_cast<uint32_t>(rank + 0.0F);  // turns -0 into 0
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// Adds in double, so that a higher score never gets a lower rank.
float rank_of(double score, float bias) { return static_cast<float>(score + double{bias}); }

uint64_t key_of(double score, float bias, size_t row) {
  return uint64_t{order_of(rank_of(score, bias))} << 32 | (UINT32_MAX - row);
}

float dot_f32(const Rows& rows, size_t row, std::span<const float> query) {
  const auto* values = reinterpret_cast<const float*>(rows.row(row));
  return kernels::dot<simd::Best>({values, rows.dim}, query);
}

}  // namespace

std::vector<Hit> exact_top_k(const Rows& rows, std::span<const float> query,
                             std::span<const float> bias, size_t k) {
  assert(query.size() == rows.dim && (bias.empty() || bias.size() == rows.size()));
  const auto bias_of = [&](size_t row) { return bias.empty() ? 0.0F : bias[row]; };
  TopK<Candidate, RanksHigher> best(std::min(k, rows.size()), {});
  std::optional<Int8Query> int8;
  if (rows.kind == RowKind::Int8) int8.emplace(query);
  for (size_t i = 0; i < rows.size() && k > 0; ++i) {
    const float row_bias = bias_of(i);
    if (row_bias == -std::numeric_limits<float>::infinity()) continue;
    if (int8 && best.is_full() &&
        key_of(int8->upper_bound(rows.row(i)), row_bias, i) < best.worst().key) {
      continue;
    }
    const float score = int8 ? int8->score(rows.row(i)) : dot_f32(rows, i, query);
    best.offer({key_of(score, row_bias, i), score});
  }
  std::vector<Hit> hits;
  for (const Candidate& found : best.take()) {
    const auto row = static_cast<uint32_t>(UINT32_MAX - found.key);
    hits.push_back({row, found.score, rank_of(found.score, bias_of(row))});
  }
  return hits;
}

}  // namespace ambry::search
