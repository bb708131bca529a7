#include "search/top_k.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/dot.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// Whether `a` comes before `b` in the result: a strict weak order also with NaN scores.
bool comes_before(const Hit& a, const Hit& b) {
  const bool a_is_nan = std::isnan(a.score);
  const bool b_is_nan = std::isnan(b.score);
  if (a_is_nan != b_is_nan) return b_is_nan;
  if (!a_is_nan && a.score != b.score) return a.score > b.score;
  return a.row < b.row;
}

}  // namespace

std::vector<Hit> top_k(std::span<const float> matrix, std::span<const float> query, size_t k) {
  assert(!query.empty() && matrix.size() % query.size() == 0);
  const size_t dim = query.size();
  const size_t n_rows = matrix.size() / dim;
  k = std::min(k, n_rows);
  std::vector<Hit> best;  // a heap whose front is the worst of the best
  if (k == 0) return best;
  best.reserve(k);
  for (size_t row = 0; row < n_rows; ++row) {
    const float score = kernels::dot<simd::Best>(matrix.subspan(row * dim, dim), query);
    const Hit hit{static_cast<uint32_t>(row), score};
    if (best.size() == k) {
      if (!comes_before(hit, best.front())) continue;
      std::ranges::pop_heap(best, comes_before);
      best.back() = hit;
    } else {
      best.push_back(hit);
    }
    std::ranges::push_heap(best, comes_before);
  }
  std::ranges::sort_heap(best, comes_before);
  return best;
}

}  // namespace ambry::search
