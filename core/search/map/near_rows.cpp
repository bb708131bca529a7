#include "search/map/near_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "base/order.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "kernels/similarity/dot_rows.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

// So many rows are compared with all others.
constexpr size_t kFewRows = 2048;
constexpr size_t kRowsOfGroup = 128;
constexpr size_t kIterations = 5;
constexpr size_t kSampledOfGroup = 32;  // rows for each group
// A row is compared with at least so many others, and at most twice so many. The latter bounds the
// time where many rows are equal, which are all in one group.
constexpr size_t kCandidates = 1024;
constexpr size_t kRowsOfStep = 128;
constexpr size_t kSortedOfStep = 2048;

std::vector<float> rows_at(std::span<const float> rows, size_t dim,
                           std::span<const uint32_t> members) {
  std::vector<float> gathered;
  gathered.reserve(members.size() * dim);
  for (const uint32_t row : members) {
    const auto from = rows.subspan(row * dim, dim);
    gathered.insert(gathered.end(), from.begin(), from.end());
  }
  return gathered;
}

}  // namespace

NearRows::NearRows(std::span<const float> rows, size_t dim, size_t count)
    : rows_(rows), dim_(dim), count_(count), neighbours_(rows.size() / dim * count) {}

Result<NearRows> NearRows::begin(std::span<const float> rows, size_t dim, size_t count) {
  NearRows job(rows, dim, count);
  const size_t n = job.n_rows();
  assert(count >= 1 && n > count);
  if (n > kFewRows) {
    AMBRY_RETURN_IF_ERROR(job.train());
    return job;
  }
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  job.groups_.push_back(std::move(all));
  job.nearest_groups_ = {0};
  job.sorted_ = n;
  return job;
}

Result<void> NearRows::train() {
  const size_t n_groups = n_rows() / kRowsOfGroup;
  const size_t sampled = n_groups * kSampledOfGroup;
  std::vector<uint32_t> sample(sampled);
  for (size_t i = 0; i < sampled; ++i) {
    sample[i] = static_cast<uint32_t>(uint64_t{i} * n_rows() / sampled);
  }
  AMBRY_TRY(auto k_means,
            KMeans::create(rows_at(rows_, dim_, sample), dim_, n_groups, kIterations));
  k_means_ = std::make_unique<KMeans>(std::move(k_means));
  group_of_.resize(n_rows());
  groups_.resize(n_groups);
  return {};
}

uint32_t NearRows::progress() const {
  constexpr uint64_t kHalf = 500;
  uint64_t trained = 1000;
  if (k_means_) trained = kHalf * k_means_->done_rows() / k_means_->total_rows();
  if (finder_) trained = kHalf + kHalf * sorted_ / n_rows();
  const uint64_t compared = 1000 * uint64_t{compared_} / n_rows();
  return static_cast<uint32_t>((trained + compared) / 2);
}

Result<bool> NearRows::step() {
  if (k_means_ && !finder_) {
    AMBRY_TRY(const bool goes_on, k_means_->step());
    if (goes_on) return true;
    centroids_ = k_means_->centroids();
    AMBRY_TRY(auto finder, NearestCentroids::create(centroids_, dim_));
    finder_ = std::make_unique<NearestCentroids>(std::move(finder));
    return true;
  }
  if (sorted_ < n_rows()) {
    sort_into_groups();
    return true;
  }
  AMBRY_RETURN_IF_ERROR(compare());
  return compared_ < n_rows();
}

void NearRows::sort_into_groups() {
  const size_t n = std::min(kSortedOfStep, n_rows() - sorted_);
  finder_->find(rows_.subspan(sorted_ * dim_, n * dim_), std::span(group_of_).subspan(sorted_, n));
  sorted_ += n;
  if (sorted_ < n_rows()) return;
  for (uint32_t row = 0; row < n_rows(); ++row) groups_[group_of_[row]].push_back(row);
  order_groups(0);
}

void NearRows::order_groups(size_t group) {
  const size_t n = groups_.size();
  std::vector<float> squares(n);
  const auto centroid = [&](size_t i) { return std::span(centroids_).subspan(i * dim_, dim_); };
  for (size_t i = 0; i < n; ++i) {
    kernels::dot_rows(centroid(i).data(), centroid(i), std::span(&squares[i], 1));
  }
  std::vector<float> distances(n);
  kernels::dot_rows(centroids_.data(), centroid(group), distances);
  for (size_t i = 0; i < n; ++i) distances[i] = squares[i] - 2 * distances[i];
  distances[group] = -std::numeric_limits<float>::infinity();
  nearest_groups_ =
      sorted_order(n, [&](uint32_t a, uint32_t b) { return distances[a] < distances[b]; });
}

// The rows of the group from the next one on, then those before it, then those of other groups.
std::vector<uint32_t> NearRows::candidates() const {
  const auto& own = groups_[group_];
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(next_);
  std::vector<uint32_t> found(middle, own.end());
  found.insert(found.end(), own.begin(), middle);
  for (size_t i = 1; i < nearest_groups_.size() && found.size() < kCandidates; ++i) {
    const auto& other = groups_[nearest_groups_[i]];
    found.insert(found.end(), other.begin(), other.end());
  }
  found.resize(std::min(found.size(), 2 * kCandidates));
  return found;
}

Result<void> NearRows::compare() {
  while (next_ == groups_[group_].size()) {
    next_ = 0;
    order_groups(++group_);
  }
  const size_t n = std::min(kRowsOfStep, groups_[group_].size() - next_);
  const auto members = std::span(groups_[group_]).subspan(next_, n);
  const std::vector<uint32_t> others = candidates();
  AMBRY_TRY(const auto packed,
            kernels::PackedF32Matrix::pack({rows_at(rows_, dim_, others).data(), dim_, 1},
                                           others.size(), dim_));
  scores_.resize(n * others.size());
  const std::vector<float> own = rows_at(rows_, dim_, members);
  const std::vector<float> no_bias(kernels::n_panels(others.size()) * kernels::kPanelColumns);
  kernels::f32_gemm<simd::Best>({own.data(), n, dim_}, packed, scores_.data(), others.size(),
                                kernels::Bias{no_bias.data()});
  for (size_t i = 0; i < n; ++i) choose(members[i], others, scores_.data() + i * others.size());
  next_ += n;
  compared_ += n;
  return {};
}

// Keeps the best so far in order, the best first.
void NearRows::choose(uint32_t row, std::span<const uint32_t> others, const float* scores) {
  const auto best = std::span(neighbours_).subspan(size_t{row} * count_, count_);
  std::vector<float> best_scores(count_, -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < others.size(); ++i) {
    if (!(scores[i] > best_scores.back()) || others[i] == row) continue;
    size_t at = count_ - 1;
    for (; at > 0 && scores[i] > best_scores[at - 1]; --at) {
      best[at] = best[at - 1];
      best_scores[at] = best_scores[at - 1];
    }
    best[at] = others[i];
    best_scores[at] = scores[i];
  }
}

}  // namespace ambry::search
