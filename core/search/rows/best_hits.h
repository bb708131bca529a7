// Keeps the best hits of a scan. Ties go to the lower row; NaN comes last.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/top_k.h"
#include "search/rows/hit.h"

namespace ambry::search {

class BestHits {
 public:
  explicit BestHits(size_t k) : best_(k, {}) {}

  [[nodiscard]] bool is_full() const { return best_.is_full(); }

  // Whether a row whose score is at most this cannot enter. Call when is_full(); rows come in
  // order.
  [[nodiscard]] bool excludes(double highest_score, float bias, size_t row) const {
    return key_of(highest_score, bias, row) < best_.worst().key;
  }

  void offer(size_t row, float score, float bias) {
    best_.offer({key_of(score, bias, row), score, rank_of(score, bias)});
  }

  // Call once.
  [[nodiscard]] std::vector<Hit> take() {
    std::vector<Hit> hits;
    for (const Candidate& found : best_.take()) {
      const auto row = static_cast<uint32_t>(UINT32_MAX - found.key);
      hits.push_back({row, found.score, found.rank});
    }
    return hits;
  }

 private:
  // A row as one integer, higher is better: first the rank, with NaN lowest, then the lower row.
  struct Candidate {
    uint64_t key;
    float score;
    float rank;
  };

  struct RanksHigher {
    bool operator()(const Candidate& a, const Candidate& b) const { return a.key > b.key; }
  };

  // Maps floats to integers of the same order; NaN to 0.
  static uint32_t order_of(float rank) {
    if (std::isnan(rank)) return 0;
    constexpr uint32_t kSign = 0x80000000U;
    const auto bits = std::bit_cast<uint32_t>(rank + 0.0F);  // turns -0 into 0
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }

  // Adds in double, so that a higher score never gets a lower rank.
  static float rank_of(double score, float bias) {
    return static_cast<float>(score + double{bias});
  }

  static uint64_t key_of(double score, float bias, size_t row) {
    return uint64_t{order_of(rank_of(score, bias))} << 32 | (UINT32_MAX - row);
  }

  TopK<Candidate, RanksHigher> best_;
};

}  // namespace ambry::search
