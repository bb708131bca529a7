// Keeps the k labels with the highest scores. Labels of equal score come out in the order in which
// fastText's own program gives them: that of the heap of the GNU C++ library. Other libraries order
// them differently, and equal scores are frequent, because sigmoids come from a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ambry::infer {

struct LabelScore {
  float score = 0;  // the logarithm of the probability
  uint32_t label = 0;
};

class BestLabels {
 public:
  // `most` is at least 1.
  explicit BestLabels(size_t most) : most_(most) {}

  // Whether a label with this score would be dropped at once.
  [[nodiscard]] bool rejects(float score) const {
    return heap_.size() == most_ && score < heap_.front().score;
  }
  void add(LabelScore item);
  // The labels, the best first. Call once.
  [[nodiscard]] std::vector<LabelScore> take();

 private:
  void sift_up(size_t hole, LabelScore item);
  void replace_top(size_t size, LabelScore item);

  size_t most_;
  std::vector<LabelScore> heap_;  // the lowest score in front
};

}  // namespace ambry::infer
