#include "search/ivf/nearest_centroids.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "search/ivf/k_means.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// Fewer centroids are compared with all vectors.
constexpr size_t kLeastGrouped = 256;
// Groups that a vector looks at.
constexpr size_t kGroupsOfRow = 6;
constexpr size_t kGroupIterations = 4;
constexpr size_t kBlockOfRows = 512;

}  // namespace

Result<NearestCentroids::Group> NearestCentroids::group_of(std::span<const float> centroids,
                                                           size_t dim,
                                                           std::vector<uint32_t> members) {
  std::vector<float> rows(members.size() * dim);
  Group group;
  group.bias.resize(kernels::n_panels(members.size()) * kernels::kPanelColumns);
  for (size_t i = 0; i < members.size(); ++i) {
    const auto row = centroids.subspan(members[i] * dim, dim);
    std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(i * dim));
    float squares = 0;
    for (const float x : row) squares += x * x;
    group.bias[i] = -squares / 2;
  }
  AMBRY_TRY(group.centroids,
            kernels::PackedF32Matrix::pack({rows.data(), dim, 1}, members.size(), dim));
  group.members = std::move(members);
  return group;
}

Result<NearestCentroids> NearestCentroids::create(std::span<const float> centroids, size_t dim) {
  assert(!centroids.empty() && centroids.size() % dim == 0);
  NearestCentroids result;
  result.dim_ = dim;
  const size_t n = centroids.size() / dim;
  if (n >= kLeastGrouped) {
    AMBRY_RETURN_IF_ERROR(result.make_groups(centroids));
    return result;
  }
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  AMBRY_TRY(Group group, group_of(centroids, dim, std::move(all)));
  result.groups_.push_back(std::move(group));
  return result;
}

Result<void> NearestCentroids::make_groups(std::span<const float> centroids) {
  const size_t n = centroids.size() / dim_;
  const auto n_groups = static_cast<size_t>(std::sqrt(static_cast<double>(n)));
  std::vector<float> rows(centroids.begin(), centroids.end());
  AMBRY_TRY(KMeans clusters, KMeans::create(std::move(rows), dim_, n_groups, kGroupIterations));
  AMBRY_RETURN_IF_ERROR(clusters.run());
  AMBRY_TRY(NearestCentroids centers, create(clusters.centroids(), dim_));
  std::vector<uint32_t> nearest(n);
  centers.find(centroids, nearest);
  std::vector<std::vector<uint32_t>> members(n_groups);
  for (uint32_t i = 0; i < n; ++i) members[nearest[i]].push_back(i);
  for (auto& list : members) {
    AMBRY_TRY(Group group, group_of(centroids, dim_, std::move(list)));
    groups_.push_back(std::move(group));
  }
  centers_ = std::move(centers.groups_.front());
  rows_of_.resize(n_groups);
  return {};
}

void NearestCentroids::multiply(const Group& group, std::span<const float> rows) {
  const size_t n_rows = rows.size() / dim_;
  const size_t n = group.centroids.n();
  if (scores_.size() < n_rows * n) scores_.resize(n_rows * n);
  kernels::f32_gemm<simd::Best>({rows.data(), n_rows, dim_}, group.centroids, scores_.data(), n,
                                kernels::Bias{group.bias.data()});
}

void NearestCentroids::offer(const Group& group, const float* scores, Best& best) const {
  for (size_t i = 0; i < group.members.size(); ++i) {
    const uint32_t centroid = group.members[i];
    const bool is_tie = scores[i] == best.score && centroid < best.centroid;
    if (scores[i] > best.score || is_tie) best = {scores[i], centroid};
  }
}

// Notes for each group the rows that look at it.
void NearestCentroids::choose_groups(std::span<const float> rows) {
  multiply(centers_, rows);
  for (auto& list : rows_of_) list.clear();
  const size_t n = groups_.size();
  for (uint32_t row = 0; row < rows.size() / dim_; ++row) {
    const float* const scores = scores_.data() + row * n;
    // The best so far, the best first.
    std::array<uint32_t, kGroupsOfRow + 1> best{};
    size_t n_best = 0;
    for (uint32_t group = 0; group < n; ++group) {
      size_t at = n_best;
      for (; at > 0 && scores[group] > scores[best[at - 1]]; --at) best[at] = best[at - 1];
      best[at] = group;
      n_best = std::min(n_best + 1, kGroupsOfRow);
    }
    for (size_t i = 0; i < n_best; ++i) rows_of_[best[i]].push_back(row);
  }
}

void NearestCentroids::find_of_block(std::span<const float> rows, std::span<Best> best) {
  if (groups_.size() == 1) {
    multiply(groups_[0], rows);
    for (size_t row = 0; row < best.size(); ++row) {
      offer(groups_[0], scores_.data() + row * groups_[0].members.size(), best[row]);
    }
    return;
  }
  choose_groups(rows);
  for (size_t i = 0; i < groups_.size(); ++i) {
    if (rows_of_[i].empty() || groups_[i].members.empty()) continue;
    gathered_.clear();
    for (const uint32_t row : rows_of_[i]) {
      const auto from = rows.subspan(row * dim_, dim_);
      gathered_.insert(gathered_.end(), from.begin(), from.end());
    }
    multiply(groups_[i], gathered_);
    const float* scores = scores_.data();
    for (const uint32_t row : rows_of_[i]) {
      offer(groups_[i], scores, best[row]);
      scores += groups_[i].members.size();
    }
  }
}

void NearestCentroids::find(std::span<const float> rows, std::span<uint32_t> nearest) {
  assert(rows.size() == nearest.size() * dim_);
  std::array<Best, kBlockOfRows> best;
  for (size_t at = 0; at < nearest.size(); at += kBlockOfRows) {
    const size_t n = std::min(kBlockOfRows, nearest.size() - at);
    best.fill({-std::numeric_limits<float>::infinity(), 0});
    find_of_block(rows.subspan(at * dim_, n * dim_), std::span(best).first(n));
    for (size_t i = 0; i < n; ++i) nearest[at + i] = best[i].centroid;
  }
}

}  // namespace ambry::search
