// A map of vectors for JavaScript, made in steps: a point of a plane for each vector, so that
// vectors of nearly the same direction are close together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/search/vector_job.h"
#include "base/result.h"
#include "search/map/map_layout.h"
#include "search/map/near_rows.h"
#include "search/map/principal_plane.h"

namespace ambry::api {

class MapJob final : public VectorJob {
 public:
  // BadValue unless vectors have 1 … kMaxDim values.
  [[nodiscard]] static Result<MapJob> create(uint32_t dim);

  // BadValue, with the path vectors[i]; LimitExceeded for more than 100,000 vectors or 2^27 values.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> vectors) override;
  // The first step ends the appending. BadValue without vectors.
  [[nodiscard]] Result<std::string> step() override;

  // x and y of each vector, when all is done. See search::Layout::points().
  [[nodiscard]] std::span<const float> positions() const { return positions_; }

 private:
  explicit MapJob(uint32_t dim) : dim_(dim) {}
  [[nodiscard]] size_t n_rows() const { return rows_.size() / dim_; }
  [[nodiscard]] Result<void> begin();

  uint32_t dim_;
  std::vector<float> rows_;
  std::unique_ptr<search::PrincipalPlane> plane_;
  std::unique_ptr<search::NearRows> near_;
  std::unique_ptr<search::Layout> layout_;
  std::vector<float> positions_;
  bool done_ = false;
};

}  // namespace ambry::api
