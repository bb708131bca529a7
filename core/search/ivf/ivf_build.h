// Makes the lists of an index, in steps that take a fraction of a second: k-means over a sample,
// the list of each row, the codes, and a test that chooses how many lists a search reads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "search/ivf/ivf_index.h"
#include "search/ivf/k_means.h"
#include "search/ivf/nearest_centroids.h"
#include "search/ivf/recall_test.h"

namespace ambry::search {

struct IvfBuildSettings {
  std::optional<uint32_t> n_lists =
      std::nullopt;      // 0: none; chosen by the number of rows when absent
  double recall = 0.95;  // that a search is to have
};

// Indexes with fewer rows are searched exactly unless the caller says otherwise.
inline constexpr uint32_t kLeastListedRows = 10'000;
[[nodiscard]] uint32_t lists_for(uint64_t n_rows);

class IvfBuild {
 public:
  // Borrows the index, which has all its rows. BadValue for a recall that is not in 0 … 1, or for
  // more lists than rows.
  [[nodiscard]] static Result<IvfBuild> begin(IvfIndex& index, const IvfBuildSettings& settings);

  // Does the next part. False when all is done.
  [[nodiscard]] Result<bool> step();
  // In thousandths.
  [[nodiscard]] uint32_t progress() const;

  // How much a search must read, and what it was measured to find. Without lists all is read.
  [[nodiscard]] const IvfReach& reach() const { return reach_; }
  [[nodiscard]] const Recall& measured() const { return measured_; }
  [[nodiscard]] size_t n_queries() const { return test_ ? test_->n_queries() / 2 : 0; }

 private:
  enum class Phase : uint8_t { Train, Assign, Encode, Choose, Done };

  explicit IvfBuild(IvfIndex& index) : index_(&index) {}
  [[nodiscard]] std::vector<float> sample(size_t n_lists) const;
  [[nodiscard]] Result<void> train();
  [[nodiscard]] Result<void> assign();
  void encode();
  [[nodiscard]] Result<void> choose();
  void choose_probes(bool is_enough);

  IvfIndex* index_;
  double wanted_ = 0;
  Phase phase_ = Phase::Done;
  uint32_t next_ = 0;  // row of the phase
  std::optional<RecallTest> test_;
  std::optional<KMeans> k_means_;
  std::optional<NearestCentroids> finder_;
  std::vector<uint32_t> list_of_;
  std::vector<float> rows_;  // of a step
  enum class Choice : uint8_t { Probes, Candidates, Check };
  Choice choice_ = Choice::Probes;
  uint32_t fewest_ = 0;  // lists that were too few
  uint32_t enough_ = 0;  // lists that were enough, or 0
  IvfReach reach_;
  Recall measured_;
};

}  // namespace ambry::search
