#include "api/search/map_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/search/vector_input.h"
#include "api/search/vector_lists.h"
#include "search/rows/index_file.h"

namespace ambry::api {
namespace {

constexpr size_t kMaxVectors = 100'000;
constexpr size_t kMaxValues = size_t{1} << 27;
// Neighbours that a point is drawn to. Few vectors have few that are of one kind.
constexpr double kLeastNeighbours = 4;
constexpr double kMostNeighbours = 12;

size_t neighbours_of(size_t n_rows) {
  const double wanted = std::sqrt(static_cast<double>(n_rows)) / 2.5;
  const double bounded = std::clamp(wanted, kLeastNeighbours, kMostNeighbours);
  return std::min(static_cast<size_t>(bounded), n_rows - 1);
}

// Vectors of zeros stay so.
void scale_to_one(std::span<float> row) {
  double squares = 0;
  for (const float x : row) squares += double{x} * double{x};
  const double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (float& x : row) x = static_cast<float>(double{x} * factor);
}

}  // namespace

Result<MapJob> MapJob::create(uint32_t dim) {
  AMBRY_RETURN_IF_ERROR(search::check_dim(dim, kNoOffset));
  return MapJob(dim);
}

Result<uint32_t> MapJob::append(std::span<const float> vectors) {
  if (plane_ || done_) {
    return make_error(ErrorCode::Unsupported, "vectors", "the map is begun already");
  }
  const size_t values = rows_.size() + vectors.size();
  if (values > kMaxValues || values / dim_ > kMaxVectors) {
    return make_error(ErrorCode::LimitExceeded, "vectors",
                      {"a map has at most ", kMaxVectors, " vectors and ", kMaxValues, " values"});
  }
  const size_t before = rows_.size();
  AMBRY_RETURN_IF_ERROR(append_vectors(vectors, dim_, rows_));
  for (size_t at = before; at < rows_.size(); at += dim_) {
    scale_to_one(std::span(rows_).subspan(at, dim_));
  }
  return static_cast<uint32_t>(n_rows());
}

Result<void> MapJob::begin() {
  plane_ = std::make_unique<search::PrincipalPlane>(rows_, dim_);
  AMBRY_TRY(auto near, search::NearRows::begin(rows_, dim_, neighbours_of(n_rows())));
  near_ = std::make_unique<search::NearRows>(std::move(near));
  return {};
}

Result<std::string> MapJob::step() {
  constexpr uint32_t kNearShare = 450;  // thousandths of the progress, as of the time
  if (done_) return progress_json(true, 1000);
  if (rows_.empty()) return make_error(ErrorCode::BadValue, "vectors", "there are none");
  if (n_rows() == 1) {
    positions_ = {0, 0};
    done_ = true;
    return progress_json(true, 1000);
  }
  if (!plane_) {
    AMBRY_RETURN_IF_ERROR(begin());
    return progress_json(false, 0);
  }
  if (!layout_) {
    AMBRY_TRY(const bool goes_on, near_->step());
    if (goes_on) return progress_json(false, near_->progress() * kNearShare / 1000);
    while (plane_->step()) {
    }
    layout_ = std::make_unique<search::Layout>(plane_->points(), near_->neighbours(),
                                               neighbours_of(n_rows()));
    return progress_json(false, kNearShare);
  }
  done_ = !layout_->step();
  if (done_) {
    positions_ = layout_->points();
    layout_.reset();
    near_.reset();
    rows_.clear();
    return progress_json(true, 1000);
  }
  return progress_json(false, kNearShare + layout_->progress() * (1000 - kNearShare) / 1000);
}

}  // namespace ambry::api
