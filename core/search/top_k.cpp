#include "search/top_k.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/best_of.h"
#include "kernels/dot.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

struct ComesBefore {
  // A strict weak order also with NaN scores.
  bool operator()(const Hit& a, const Hit& b) const {
    const bool a_is_nan = std::isnan(a.score);
    const bool b_is_nan = std::isnan(b.score);
    if (a_is_nan != b_is_nan) return b_is_nan;
    if (!a_is_nan && a.score != b.score) return a.score > b.score;
    return a.row < b.row;
  }
};

}  // namespace

std::vector<Hit> top_k(std::span<const float> matrix, std::span<const float> query, size_t k) {
  assert(!query.empty() && matrix.size() % query.size() == 0);
  const size_t dim = query.size();
  const size_t n_rows = matrix.size() / dim;
  BestOf<Hit, ComesBefore> best(std::min(k, n_rows), {});
  if (k == 0) return best.take();
  for (size_t row = 0; row < n_rows; ++row) {
    const float score = kernels::dot<simd::Best>(matrix.subspan(row * dim, dim), query);
    best.offer({static_cast<uint32_t>(row), score});
  }
  return best.take();
}

}  // namespace ambry::search
