#include "search/ivf/k_means.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ambry::search {
namespace {

constexpr size_t kRowsOfStep = 1024;

}  // namespace

Result<KMeans> KMeans::create(std::vector<float> rows, size_t dim, size_t count,
                              size_t iterations) {
  KMeans job;
  job.dim_ = dim;
  job.iterations_ = iterations;
  job.rows_ = std::move(rows);
  assert(count >= 1 && job.n_rows() >= count);
  for (size_t i = 0; i < count; ++i) {
    const auto row = static_cast<size_t>(uint64_t{i} * job.n_rows() / count);
    const float* from = job.rows_.data() + row * dim;
    job.centroids_.insert(job.centroids_.end(), from, from + dim);
  }
  job.sums_.resize(count * dim);
  job.counts_.resize(count);
  return job;
}

Result<bool> KMeans::step() {
  if (iteration_ == iterations_) return false;
  if (next_ == 0) {
    AMBRY_TRY(finder_, NearestCentroids::create(centroids_, dim_));
    std::ranges::fill(sums_, 0.0);
    std::ranges::fill(counts_, 0U);
  }
  const size_t end = std::min(next_ + kRowsOfStep, n_rows());
  add(next_, end);
  next_ = end;
  if (next_ == n_rows()) {
    move();
    next_ = 0;
    ++iteration_;
  }
  return iteration_ < iterations_;
}

Result<void> KMeans::run() {
  for (bool goes_on = true; goes_on;) {
    AMBRY_TRY(goes_on, step());
  }
  return {};
}

void KMeans::add(size_t begin, size_t end) {
  nearest_.resize(end - begin);
  finder_->find(std::span(rows_).subspan(begin * dim_, (end - begin) * dim_), nearest_);
  for (size_t i = 0; i < nearest_.size(); ++i) {
    const float* row = rows_.data() + (begin + i) * dim_;
    double* sum = sums_.data() + nearest_[i] * dim_;
    for (size_t j = 0; j < dim_; ++j) sum[j] += static_cast<double>(row[j]);
    ++counts_[nearest_[i]];
  }
}

void KMeans::move() {
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const double share = 1.0 / counts_[i];
    for (size_t j = i * dim_; j < (i + 1) * dim_; ++j) {
      centroids_[j] = static_cast<float>(sums_[j] * share);
    }
  }
}

}  // namespace ambry::search
