#include "api/search/vector_lists.h"

#include <algorithm>
#include <utility>

#include "api/search/vector_input.h"
#include "base/concat.h"
#include "io/json/json.h"
#include "search/ivf/ivf_file.h"
#include "search/rows/index_file.h"
#include "search/rows/row_index.h"

namespace ambry::api {
namespace {

constexpr size_t kClusterIterations = 6;
constexpr size_t kClusterSample = 48;  // vectors for each centroid
constexpr size_t kClusterStep = 2048;

}  // namespace

std::string progress_json(bool done, uint32_t progress) {
  return concat({R"({"done":)", done ? "true" : "false", R"(,"progress":)", progress, "}"});
}

std::string list_hits_json(const std::vector<search::IvfHit>& hits) {
  io::Json list = io::Json::array();
  for (const search::IvfHit& hit : hits) {
    io::Json& entry = list.append(io::Json::object());
    entry.set("position", hit.position);
    entry.set("score", double{hit.score});
    entry.set("row", hit.row);
  }
  return list.dump();
}

Result<VectorLists> VectorLists::create(uint32_t dim, bool as_bytes) {
  const auto kind = as_bytes ? search::RowKind::Int8 : search::RowKind::F32;
  AMBRY_TRY(search::IvfIndex index, search::IvfIndex::create(dim, kind));
  return VectorLists(std::move(index));
}

Result<uint32_t> VectorLists::append(std::span<const float> vectors) {
  if (build_) return make_error(ErrorCode::Unsupported, "vectors", "the lists are made already");
  AMBRY_RETURN_IF_ERROR(index_->append(vectors));
  return index_->size();
}

Result<void> VectorLists::begin(double n_lists, double recall) {
  search::IvfBuildSettings settings;
  settings.recall = recall;
  if (n_lists >= 0) settings.n_lists = static_cast<uint32_t>(std::min(n_lists, 1e9));
  AMBRY_TRY(search::IvfBuild build, search::IvfBuild::begin(*index_, settings));
  build_ = std::make_unique<search::IvfBuild>(std::move(build));
  return {};
}

Result<std::string> VectorLists::step() {
  if (!build_) return make_error(ErrorCode::NotFound, "lists", "nothing was begun");
  AMBRY_TRY(const bool goes_on, build_->step());
  return progress_json(!goes_on, build_->progress());
}

std::string VectorLists::facts() const {
  const search::ListSet& lists = index_->lists();
  io::Json facts = io::Json::object();
  facts.set("dim", lists.dim);
  facts.set("size", index_->size());
  facts.set("lists", lists.has_codes() ? lists.n_lists() : 0U);
  const search::IvfReach reach = build_ ? build_->reach() : search::IvfReach{};
  facts.set("probes", lists.has_codes() ? reach.probes : 0U);
  facts.set("candidates", reach.candidates);
  const search::Recall measured = build_ ? build_->measured() : search::Recall{};
  facts.set("recall", measured.recall);
  facts.set("share", measured.share);
  facts.set("queries", build_ ? static_cast<uint32_t>(build_->n_queries()) : 0U);
  return facts.dump();
}

Result<std::string> VectorLists::search(std::span<const float> query, Bytes marks, size_t k,
                                        uint32_t probes, uint32_t candidates) const {
  const search::IvfSearch settings{.k = k, .reach = {probes, candidates}, .marks = marks};
  const bool is_exact = probes == 0 || !index_->lists().has_codes();
  AMBRY_TRY(const auto hits,
            is_exact ? index_->search_all(query, settings) : index_->search(query, settings));
  return list_hits_json(hits);
}

VectorLists::Order VectorLists::order() {
  positions_.resize(index_->size());
  for (uint32_t i = 0; i < positions_.size(); ++i) {
    positions_[i] = search::position_in(index_->rows().record(i));
  }
  return {positions_, index_->lists().begins};
}

Result<std::vector<Bytes>> VectorLists::save(Bytes header, std::vector<uint32_t> id_sizes,
                                             std::vector<uint32_t> id_crcs) {
  const search::IvfIds ids{std::move(id_sizes), std::move(id_crcs)};
  AMBRY_TRY(head_, search::write_list_head(*index_, header, ids));
  std::vector<Bytes> pieces{head_.bytes(), index_->codes()};
  for (const Bytes rows : index_->rows().pieces()) pieces.push_back(rows);
  return pieces;
}

Result<ClusterJob> ClusterJob::create(uint32_t dim, uint32_t count) {
  AMBRY_RETURN_IF_ERROR(search::check_dim(dim, kNoOffset));
  if (count == 0) return make_error(ErrorCode::BadValue, "count", "must be at least 1");
  return ClusterJob(dim, count);
}

Result<uint32_t> ClusterJob::append(std::span<const float> vectors) {
  AMBRY_RETURN_IF_ERROR(append_vectors(vectors, dim_, rows_));
  return static_cast<uint32_t>(n_rows());
}

// k-means learns from rows in even distances.
Result<void> ClusterJob::begin() {
  if (count_ > n_rows()) {
    return make_error(ErrorCode::BadValue, "count",
                      {count_, " clusters, but there are ", n_rows(), " vectors"});
  }
  const size_t n = std::min(n_rows(), count_ * kClusterSample);
  std::vector<float> sample;
  sample.reserve(n * dim_);
  for (size_t i = 0; i < n; ++i) {
    const auto row = static_cast<size_t>(uint64_t{i} * n_rows() / n);
    const auto from = std::span(rows_).subspan(row * dim_, dim_);
    sample.insert(sample.end(), from.begin(), from.end());
  }
  AMBRY_TRY(auto k_means,
            search::KMeans::create(std::move(sample), dim_, count_, kClusterIterations));
  k_means_ = std::make_unique<search::KMeans>(std::move(k_means));
  return {};
}

Result<std::string> ClusterJob::step() {
  if (!k_means_) AMBRY_RETURN_IF_ERROR(begin());
  if (!finder_) {
    AMBRY_TRY(const bool goes_on, k_means_->step());
    if (!goes_on) {
      centroids_ = k_means_->centroids();
      AMBRY_TRY(auto finder, search::NearestCentroids::create(centroids_, dim_));
      finder_ = std::make_unique<search::NearestCentroids>(std::move(finder));
      members_.resize(n_rows());
    }
    const uint64_t half = 500 * k_means_->done_rows() / k_means_->total_rows();
    return progress_json(false, static_cast<uint32_t>(half));
  }
  const size_t n = std::min(kClusterStep, n_rows() - next_);
  finder_->find(std::span(rows_).subspan(next_ * dim_, n * dim_),
                std::span(members_).subspan(next_, n));
  next_ += n;
  const uint64_t half = uint64_t{500} * next_ / n_rows();
  return progress_json(next_ == n_rows(), static_cast<uint32_t>(500 + half));
}

}  // namespace ambry::api
