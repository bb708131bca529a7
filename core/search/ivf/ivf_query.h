// One query over an index with lists. The rows of some lists are compared by their codes, and the
// best candidates are scored by the rows themselves. It does no reading: the caller has the codes
// and rows in memory, or reads them from a file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/top_k.h"
#include "search/ivf/list_set.h"
#include "search/ivf/sign_codes.h"
#include "search/rows/int8_query.h"

namespace ambry::search {

struct IvfHit {
  uint32_t position = 0;  // among the caller's vectors
  float score = 0;        // the cosine
  uint32_t row = 0;       // in the order of the file

  friend bool operator==(const IvfHit&, const IvfHit&) = default;
};

// A vector of `dim` finite values scaled to length 1. Mismatch or BadValue, with the path `query`.
[[nodiscard]] Result<std::vector<float>> unit_query(std::span<const float> query, uint32_t dim);

class IvfQuery {
 public:
  // `unit` is a unit_query(). Borrows the lists and the rotation. The best `k` rows are found among
  // the best `most_candidates` by code.
  IvfQuery(const ListSet& lists, const Rotation& rotation, std::vector<float> unit, size_t k,
           size_t most_candidates);

  [[nodiscard]] std::vector<uint32_t> order() const { return nearest_lists(lists_, unit_); }

  // Compares the rows of a list. `marks` is empty or has a byte for each; 0 leaves a row out.
  // Without codes all of them become candidates.
  void scan(uint32_t list, Bytes codes, Bytes marks);

  // The rows that score() wants, in ascending order. Call once, after the scans.
  [[nodiscard]] std::vector<uint32_t> candidates();

  // Scores a row by its record.
  void score(uint32_t row, const uint8_t* record);
  // The best rows. Ties go to the lower position. Call once.
  [[nodiscard]] std::vector<IvfHit> hits() { return best_.take(); }

 private:
  struct Candidate {
    float estimate;
    uint32_t row;
  };
  struct EstimatesHigher {
    bool operator()(const Candidate& a, const Candidate& b) const {
      return a.estimate != b.estimate ? a.estimate > b.estimate : a.row < b.row;
    }
  };
  struct ScoresHigher {
    bool operator()(const IvfHit& a, const IvfHit& b) const {
      return a.score != b.score ? a.score > b.score : a.position < b.position;
    }
  };

  const ListSet& lists_;
  std::vector<float> unit_;
  std::vector<float> rest_;  // unit_ less a centroid; or a row
  SignQuery signs_;
  Int8Query int8_;
  TopK<Candidate, EstimatesHigher> nearest_;
  std::vector<uint32_t> all_;  // candidates of an index without codes
  TopK<IvfHit, ScoresHigher> best_;
};

}  // namespace ambry::search
