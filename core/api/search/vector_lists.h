// An index with lists for JavaScript, in memory: made in steps, searched, saved.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/search/vector_job.h"
#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/ivf/ivf_build.h"
#include "search/ivf/ivf_index.h"

namespace ambry::api {

// JSON: {done, progress} of work in steps; `progress` is in thousandths.
[[nodiscard]] std::string progress_json(bool done, uint32_t progress);

// JSON: [{position, score, row}]. `row` is the place in the order of the file.
[[nodiscard]] std::string list_hits_json(const std::vector<search::IvfHit>& hits);

class VectorLists final : public VectorJob {
 public:
  // Rows of int8 with a scale for each row, or rows of floats.
  [[nodiscard]] static Result<VectorLists> create(uint32_t dim, bool as_bytes);

  // See search::RowStore::append().
  [[nodiscard]] Result<uint32_t> append(std::span<const float> vectors) override;

  // Begins to make the lists: so many, or as the number of rows wants where it is negative.
  [[nodiscard]] Result<void> begin(double n_lists, double recall);
  [[nodiscard]] Result<std::string> step() override;

  // JSON: {dim, size, lists, probes, candidates, recall, share, queries}. Without lists, `lists` is
  // 0.
  [[nodiscard]] std::string facts() const;

  // JSON of hits. `marks` has a byte for each position, or none. Without probes it is exact.
  [[nodiscard]] Result<std::string> search(std::span<const float> query, Bytes marks, size_t k,
                                           uint32_t probes, uint32_t candidates) const;

  // The caller's position of each row in the order of the file, and the first row of each list.
  struct Order {
    std::span<const uint32_t> positions;
    std::span<const uint32_t> begins;
  };
  // Valid until the next call.
  [[nodiscard]] Order order();

  // The file but for its ids, in pieces, valid until the next call. `id_sizes` and `id_crcs` have
  // a number for each list, or none.
  [[nodiscard]] Result<std::vector<Bytes>> save(Bytes header, std::vector<uint32_t> id_sizes,
                                                std::vector<uint32_t> id_crcs);

 private:
  explicit VectorLists(search::IvfIndex index)
      : index_(std::make_unique<search::IvfIndex>(std::move(index))) {}

  std::unique_ptr<search::IvfIndex> index_;  // stays in its place for the build
  std::unique_ptr<search::IvfBuild> build_;
  std::vector<uint32_t> positions_;
  AlignedBuffer head_;
};

// Groups vectors by k-means, in steps.
class ClusterJob final : public VectorJob {
 public:
  // BadValue unless there are 1 … rows clusters of 1 … kMaxDim values.
  [[nodiscard]] static Result<ClusterJob> create(uint32_t dim, uint32_t count);

  // BadValue, with the path vectors[i].
  [[nodiscard]] Result<uint32_t> append(std::span<const float> vectors) override;
  // The first step ends the appending.
  [[nodiscard]] Result<std::string> step() override;

  [[nodiscard]] std::span<const float> centroids() const { return centroids_; }
  // The centroid of each vector.
  [[nodiscard]] std::span<const uint32_t> members() const { return members_; }

 private:
  ClusterJob(uint32_t dim, uint32_t count) : dim_(dim), count_(count) {}
  [[nodiscard]] size_t n_rows() const { return rows_.size() / dim_; }
  [[nodiscard]] Result<void> begin();

  uint32_t dim_;
  uint32_t count_;
  std::vector<float> rows_;
  std::unique_ptr<search::KMeans> k_means_;
  std::unique_ptr<search::NearestCentroids> finder_;
  std::vector<float> centroids_;
  std::vector<uint32_t> members_;
  size_t next_ = 0;
};

}  // namespace ambry::api
