#include "search/rows/exact_top_k.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "kernels/similarity/dot.h"
#include "search/rows/best_hits.h"
#include "search/rows/int8_query.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

float dot_f32(const Rows& rows, size_t row, std::span<const float> query) {
  const auto* values = reinterpret_cast<const float*>(rows.row(row));
  return kernels::dot<simd::Best>({values, rows.dim}, query);
}

}  // namespace

std::vector<Hit> exact_top_k(const Rows& rows, std::span<const float> query,
                             std::span<const float> bias, size_t k) {
  assert(query.size() == rows.dim && (bias.empty() || bias.size() == rows.size()));
  const auto bias_of = [&](size_t row) { return bias.empty() ? 0.0F : bias[row]; };
  BestHits best(std::min(k, rows.size()));
  std::optional<Int8Query> int8;
  if (rows.kind == RowKind::Int8) int8.emplace(query);
  for (size_t i = 0; i < rows.size() && k > 0; ++i) {
    const float row_bias = bias_of(i);
    if (row_bias == -std::numeric_limits<float>::infinity()) continue;
    if (int8 && best.is_full() && best.excludes(int8->upper_bound(rows.row(i)), row_bias, i)) {
      continue;
    }
    best.offer(i, int8 ? int8->score(rows.row(i)) : dot_f32(rows, i, query), row_bias);
  }
  return best.take();
}

}  // namespace ambry::search
