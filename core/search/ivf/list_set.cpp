#include "search/ivf/list_set.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/order.h"
#include "kernels/similarity/dot.h"
#include "search/ivf/k_means.h"
#include "search/ivf/nearest_centroids.h"
#include "search/ivf/row_store.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// The best rows of a list are so many standard deviations nearer to a query than its centroid is.
// The spread in one direction is taken as that of all directions, over the root of their number.
// Measured on sentences of documentation, 4 to 6 read the fewest rows.
constexpr float kDeviations = 5;

// More centroids are put into groups, and the groups are chained, then the centroids of each.
constexpr size_t kLeastGroupedInChain = 512;
constexpr size_t kChainIterations = 4;

float half_square(std::span<const float> vector) {
  return kernels::dot<simd::Best>(vector, vector) / 2;
}

// Goes from each row to the nearest one that is left.
std::vector<uint32_t> chain_of(std::span<const float> rows, size_t dim,
                               std::vector<uint32_t> left) {
  std::vector<uint32_t> order;
  size_t next = 0;  // in `left`
  while (!left.empty()) {
    const auto from = rows.subspan(left[next] * dim, dim);
    order.push_back(left[next]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    float best = -std::numeric_limits<float>::infinity();
    next = 0;
    for (size_t i = 0; i < left.size(); ++i) {
      const auto to = rows.subspan(left[i] * dim, dim);
      const float nearness = kernels::dot<simd::Best>(from, to) - half_square(to);
      if (nearness <= best) continue;
      best = nearness;
      next = i;
    }
  }
  return order;
}

}  // namespace

void ListSet::set_centroids(std::span<const float> rows) {
  const size_t n = rows.size() / dim;
  const uint32_t stride = row_size(RowKind::Int8, dim);
  stored_centroids.resize(n * stride);
  for (size_t i = 0; i < n; ++i) {
    write_row(RowKind::Int8, rows.subspan(i * dim, dim), stored_centroids.data() + i * stride);
  }
  widen_centroids();
}

void ListSet::widen_centroids() {
  const uint32_t stride = row_size(RowKind::Int8, dim);
  centroids.resize(stored_centroids.size() / stride * dim);
  const uint8_t* from = stored_centroids.data();
  for (size_t at = 0; at < centroids.size(); at += dim, from += stride) {
    read_row(RowKind::Int8, from, std::span(centroids).subspan(at, dim));
  }
}

std::vector<uint32_t> nearest_lists(const ListSet& lists, std::span<const float> query) {
  if (!lists.has_codes()) return {0};
  const float weight = kDeviations / std::sqrt(static_cast<float>(lists.dim));
  std::vector<float> nearness(lists.n_lists());
  for (uint32_t i = 0; i < nearness.size(); ++i) {
    nearness[i] = kernels::dot<simd::Best>(lists.centroid(i), query) + weight * lists.spreads[i];
  }
  return sorted_order(nearness.size(),
                      [&](uint32_t a, uint32_t b) { return nearness[a] > nearness[b]; });
}

Result<std::vector<uint32_t>> chain_order(std::span<const float> centroids, size_t dim) {
  const size_t n = centroids.size() / dim;
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  if (n < kLeastGroupedInChain) return chain_of(centroids, dim, std::move(all));
  const auto n_groups = static_cast<size_t>(std::sqrt(static_cast<double>(n)));
  std::vector<float> rows(centroids.begin(), centroids.end());
  AMBRY_TRY(KMeans clusters, KMeans::create(std::move(rows), dim, n_groups, kChainIterations));
  AMBRY_RETURN_IF_ERROR(clusters.run());
  const std::vector<float>& centers = clusters.centroids();
  AMBRY_TRY(NearestCentroids finder, NearestCentroids::create(centers, dim));
  std::vector<uint32_t> group_of(n);
  finder.find(centroids, group_of);
  std::vector<std::vector<uint32_t>> groups(n_groups);
  for (const uint32_t i : all) groups[group_of[i]].push_back(i);
  std::vector<uint32_t> order;
  AMBRY_TRY(const auto group_order, chain_order(centers, dim));
  for (const uint32_t group : group_order) {
    for (const uint32_t i : chain_of(centroids, dim, std::move(groups[group]))) order.push_back(i);
  }
  return order;
}

}  // namespace ambry::search
