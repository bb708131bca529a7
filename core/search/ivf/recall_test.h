// How many of the nearest rows an index finds. Some rows are the queries. They took no part in
// the making of the centroids, and none of them counts as its own neighbour.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/top_k.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "search/ivf/ivf_index.h"

namespace ambry::search {

struct Recall {
  double recall = 1;  // the share of the kReachHits nearest rows that are found
  double share = 1;   // of the rows that are in the lists that are read
};

class RecallTest {
 public:
  // Chooses queries in even distances.
  [[nodiscard]] static Result<RecallTest> create(const IvfIndex& index);

  [[nodiscard]] bool is_query(uint32_t position) const;
  [[nodiscard]] size_t n_queries() const { return queries_.size(); }

  // Compares the queries with rows of the caller's, which begin at `position`. All rows come once.
  void add(std::span<const float> rows, uint32_t position);

  // Searches for every second query, from `first` (0 or 1) on. The index has its lists now.
  [[nodiscard]] Result<Recall> measure(const IvfIndex& index, const IvfReach& reach,
                                       size_t first) const;

 private:
  struct Near {
    float score;
    uint32_t position;
  };
  struct Nearer {
    bool operator()(const Near& a, const Near& b) const { return a.score > b.score; }
  };
  struct Query {
    uint32_t position;
    TopK<Near, Nearer> nearest;
  };

  uint32_t dim_ = 0;
  std::vector<Query> queries_;
  std::vector<float> vectors_;
  kernels::PackedF32Matrix packed_;
  std::vector<float> products_;
};

}  // namespace ambry::search
