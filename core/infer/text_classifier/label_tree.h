// The tree of hierarchical softmax: a Huffman tree of the labels by how often they were in the
// training. Each inner node has a row of the output matrix, whose sigmoid says how probable the
// right branch is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "infer/text_classifier/best_labels.h"

namespace ambry::infer {

class LabelTree {
 public:
  // `counts` are those of the labels, in file order, all below 10^15. There is at least one.
  explicit LabelTree(std::span<const uint64_t> counts);

  // Offers the labels to `best`, except those whose score is below `least`. `right_of` gives the
  // probability of the right branch of an inner node.
  void search(float least, const std::function<float(uint32_t)>& right_of, BestLabels& best) const;

 private:
  struct Branches {
    uint32_t left = 0;
    uint32_t right = 0;
  };

  uint32_t n_labels_;
  std::vector<Branches> inner_;  // of node n_labels_ + i; the last one is the root
};

}  // namespace ambry::infer
