#include "search/ivf/ivf_build.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/ivf/ivf_file.h"
#include "search/ivf/row_store.h"
#include "search/rows/index_file.h"

namespace ambry::search {
namespace {

constexpr size_t kIterations = 6;
// So many rows for each centroid are enough to learn from.
constexpr uint64_t kSampleOfList = 16;
constexpr uint64_t kMostSampleBytes = uint64_t{256} << 20;
constexpr uint32_t kRowsOfBuildStep = 2048;
constexpr uint32_t kFewestCandidates = 2 * kReachHits;
constexpr uint32_t kMostCandidates = 1024;
// The queries with which the reach is chosen should do a little better than asked for, since others
// then check it.
constexpr double kMargin = 0.01;
// How finely the number of lists is chosen: to such a part of it.
constexpr uint32_t kFineness = 16;

// The shares of the work, in thousandths, at the end of each phase.
constexpr uint32_t kTrained = 300;
constexpr uint32_t kAssigned = 800;
constexpr uint32_t kEncoded = 900;
constexpr uint32_t kAll = 1000;

}  // namespace

uint32_t lists_for(uint64_t n_rows) {
  if (n_rows < kLeastListedRows) return 0;
  const double n = 8 * std::sqrt(static_cast<double>(n_rows));
  return std::min(kMostListsOfFile, static_cast<uint32_t>(n));
}

Result<IvfBuild> IvfBuild::begin(IvfIndex& index, const IvfBuildSettings& settings) {
  if (!(settings.recall >= 0 && settings.recall <= 1)) {
    return make_error(ErrorCode::BadValue, "recall", "is not in 0 … 1");
  }
  const uint32_t n_lists = settings.n_lists.value_or(lists_for(index.size()));
  const uint64_t n_values = uint64_t{n_lists} * index.lists().dim;
  if (n_lists > kMostListsOfFile || n_lists > index.size() / 2 || n_values > kMostCentroidValues) {
    return make_error(ErrorCode::BadValue, "lists",
                      {n_lists, " lists are too many for ", index.size(), " rows"});
  }
  IvfBuild build(index);
  build.wanted_ = settings.recall;
  if (n_lists == 0) return build;
  build.phase_ = Phase::Train;
  AMBRY_TRY(build.test_, RecallTest::create(index));
  const uint32_t dim = index.lists().dim;
  std::vector<float> rows = build.sample(n_lists);
  const size_t count = std::min<size_t>(n_lists, rows.size() / dim);
  AMBRY_TRY(build.k_means_, KMeans::create(std::move(rows), dim, count, kIterations));
  return build;
}

// Rows in even distances, without the queries of the test.
std::vector<float> IvfBuild::sample(size_t n_lists) const {
  const uint32_t dim = index_->lists().dim;
  const uint64_t fits = std::max<uint64_t>(n_lists, kMostSampleBytes / (dim * sizeof(float)));
  const uint64_t size = index_->size();
  const uint64_t n = std::min({size, n_lists * kSampleOfList, fits});
  std::vector<float> rows;
  rows.reserve(static_cast<size_t>(n * dim));
  for (uint64_t i = 0; i < n; ++i) {
    const auto row = static_cast<uint32_t>(i * size / n);
    if (test_->is_query(row)) continue;
    rows.resize(rows.size() + dim);
    index_->rows().read(row, std::span(rows).last(dim));
  }
  return rows;
}

Result<bool> IvfBuild::step() {
  switch (phase_) {
    case Phase::Train:
      AMBRY_RETURN_IF_ERROR(train());
      break;
    case Phase::Assign:
      AMBRY_RETURN_IF_ERROR(assign());
      break;
    case Phase::Encode:
      encode();
      break;
    case Phase::Choose:
      AMBRY_RETURN_IF_ERROR(choose());
      break;
    case Phase::Done:
      break;
  }
  return phase_ != Phase::Done;
}

Result<void> IvfBuild::train() {
  AMBRY_TRY(const bool goes_on, k_means_->step());
  if (goes_on) return {};
  const uint32_t dim = index_->lists().dim;
  const std::vector<float>& found = k_means_->centroids();
  std::vector<float> centroids;
  AMBRY_TRY(const auto order, chain_order(found, dim));
  for (const uint32_t i : order) {
    const auto from = std::span(found).subspan(size_t{i} * dim, dim);
    centroids.insert(centroids.end(), from.begin(), from.end());
  }
  k_means_.reset();
  AMBRY_TRY(finder_, NearestCentroids::create(index_->set_centroids(centroids), dim));
  list_of_.resize(index_->size());
  phase_ = Phase::Assign;
  return {};
}

Result<void> IvfBuild::assign() {
  const uint32_t dim = index_->lists().dim;
  const uint32_t n = std::min(kRowsOfBuildStep, index_->size() - next_);
  rows_.resize(size_t{n} * dim);
  for (uint32_t i = 0; i < n; ++i) {
    index_->rows().read(next_ + i, std::span(rows_).subspan(size_t{i} * dim, dim));
  }
  finder_->find(rows_, std::span(list_of_).subspan(next_, n));
  test_->add(rows_, next_);
  next_ += n;
  if (next_ < index_->size()) return {};
  finder_.reset();
  AMBRY_RETURN_IF_ERROR(index_->arrange(list_of_));
  list_of_ = {};
  rows_ = {};
  next_ = 0;
  phase_ = Phase::Encode;
  return {};
}

void IvfBuild::encode() {
  const uint32_t end = next_ + std::min(kRowsOfBuildStep, index_->size() - next_);
  index_->encode(next_, end);
  next_ = end;
  if (next_ < index_->size()) return;
  phase_ = Phase::Choose;
  reach_ = {1, kMostCandidates};
  fewest_ = 0;
}

// Half of the queries choose, with many candidates, how many lists are read, and then how many
// candidates are enough. The other half checks both, and is what is reported.
Result<void> IvfBuild::choose() {
  const bool checks = choice_ == Choice::Check;
  AMBRY_TRY(const Recall found, test_->measure(*index_, reach_, checks ? 1 : 0));
  const bool is_enough = found.recall >= (checks ? wanted_ : std::min(1.0, wanted_ + kMargin));
  if (choice_ == Choice::Probes) {
    choose_probes(is_enough);
    return {};
  }
  const bool has_most = reach_.candidates >= kMostCandidates;
  const uint32_t n_lists = index_->lists().n_lists();
  if (is_enough || (has_most && (!checks || reach_.probes >= n_lists))) {
    if (checks) phase_ = Phase::Done;
    measured_ = found;
    choice_ = Choice::Check;
    return {};
  }
  if (checks) reach_.probes = std::min(reach_.probes + reach_.probes / 8 + 1, n_lists);
  const uint32_t more = reach_.candidates / (checks ? 8 : 2);
  reach_.candidates = std::min(reach_.candidates + more, kMostCandidates);
  return {};
}

// Doubles the number of lists until it is enough, and then halves the distance to the largest
// number that is not.
void IvfBuild::choose_probes(bool is_enough) {
  const uint32_t n_lists = index_->lists().n_lists();
  if (is_enough || reach_.probes >= n_lists) {
    enough_ = reach_.probes;
  } else {
    fewest_ = reach_.probes;
  }
  if (enough_ == 0) {
    reach_.probes = std::min(2 * reach_.probes, n_lists);
  } else if (enough_ - fewest_ > std::max(1U, enough_ / kFineness)) {
    reach_.probes = fewest_ + (enough_ - fewest_) / 2;
  } else {
    reach_ = {enough_, kFewestCandidates};
    choice_ = Choice::Candidates;
  }
}

uint32_t IvfBuild::progress() const {
  const auto part = [&](uint32_t from, uint32_t to) {
    return from + static_cast<uint32_t>(uint64_t{to - from} * next_ / std::max(1U, index_->size()));
  };
  switch (phase_) {
    case Phase::Train:
      return static_cast<uint32_t>(uint64_t{kTrained} * k_means_->done_rows() /
                                   k_means_->total_rows());
    case Phase::Assign:
      return part(kTrained, kAssigned);
    case Phase::Encode:
      return part(kAssigned, kEncoded);
    case Phase::Choose:
      return kEncoded;
    case Phase::Done:
      return kAll;
  }
  return kAll;
}

}  // namespace ambry::search
