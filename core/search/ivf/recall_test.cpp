#include "search/ivf/recall_test.h"

#include <algorithm>
#include <cassert>

#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

constexpr uint32_t kMostQueries = 256;
// Not more than this share of the rows.
constexpr uint32_t kRowsOfQuery = 16;
// Scores that differ by less are equal, but for the order in which they were summed.
constexpr float kEqualScores = 1e-5F;
constexpr size_t kRowsAtOnce = 256;

}  // namespace

Result<RecallTest> RecallTest::create(const IvfIndex& index) {
  RecallTest test;
  test.dim_ = index.lists().dim;
  const uint32_t n = std::clamp(index.size() / kRowsOfQuery, 1U, kMostQueries);
  std::vector<float> row(test.dim_);
  for (uint32_t i = 0; i < n; ++i) {
    const auto position =
        static_cast<uint32_t>((uint64_t{2} * i + 1) * index.size() / (uint64_t{2} * n));
    index.rows().read(position, row);
    // A search scales its query to length 1, which a row of int8 has not quite.
    AMBRY_TRY(const std::vector<float> unit, unit_query(row, test.dim_));
    test.vectors_.insert(test.vectors_.end(), unit.begin(), unit.end());
    test.queries_.push_back({position, {kReachHits, {}}});
  }
  AMBRY_TRY(test.packed_,
            kernels::PackedF32Matrix::pack({test.vectors_.data(), test.dim_, 1}, n, test.dim_));
  test.products_.resize(kRowsAtOnce * n);
  return test;
}

bool RecallTest::is_query(uint32_t position) const {
  return std::ranges::binary_search(queries_, position, {}, &Query::position);
}

void RecallTest::add(std::span<const float> rows, uint32_t position) {
  const size_t n = queries_.size();
  for (size_t at = 0; at < rows.size(); at += kRowsAtOnce * dim_) {
    const size_t n_rows = std::min(kRowsAtOnce, (rows.size() - at) / dim_);
    kernels::f32_gemm<simd::Best>({rows.data() + at, n_rows, dim_}, packed_, products_.data(), n,
                                  kernels::Scale{1.0F});
    for (size_t row = 0; row < n_rows; ++row, ++position) {
      for (size_t i = 0; i < n; ++i) {
        if (queries_[i].position == position) continue;
        queries_[i].nearest.offer({products_[row * n + i], position});
      }
    }
  }
}

// Equal rows stand for each other, so a hit counts by its score.
Result<Recall> RecallTest::measure(const IvfIndex& index, const IvfReach& reach,
                                   size_t first) const {
  uint64_t found = 0;
  uint64_t wanted = 0;
  uint64_t read = 0;
  uint64_t n = 0;
  for (size_t i = first; i < queries_.size(); i += 2, ++n) {
    const Query& query = queries_[i];
    const size_t k = std::min<size_t>(kReachHits, index.size() - 1);
    uint64_t n_read = 0;
    AMBRY_TRY(const auto hits,
              index.search(std::span(vectors_).subspan(i * dim_, dim_),
                           {.k = k, .reach = reach, .without = query.position}, &n_read));
    const float least = query.nearest.worst().score - kEqualScores;
    found += static_cast<uint64_t>(
        std::ranges::count_if(hits, [&](const IvfHit& hit) { return hit.score >= least; }));
    wanted += k;
    read += n_read;
  }
  if (n == 0 || wanted == 0) return Recall{};
  return Recall{static_cast<double>(found) / static_cast<double>(wanted),
                static_cast<double>(read) / static_cast<double>(n) / index.size()};
}

}  // namespace ambry::search
