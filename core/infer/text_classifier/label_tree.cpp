#include "infer/text_classifier/label_tree.h"

#include <cassert>

#include "infer/text_classifier/log_probability.h"

namespace ambry::infer {

// Labels come with falling counts, so the rarest is the last. Inner nodes are made with rising
// counts. So the two rarest are always at the ends of both lists. Files whose labels are not sorted
// give the tree that fastText makes of them.
LabelTree::LabelTree(std::span<const uint64_t> counts)
    : n_labels_(static_cast<uint32_t>(counts.size())) {
  assert(!counts.empty());
  std::vector<uint64_t> sums;  // of the inner nodes
  inner_.reserve(counts.size() - 1);
  sums.reserve(counts.size() - 1);
  size_t left_labels = counts.size();
  size_t next_inner = 0;
  const auto take_rarest = [&](uint64_t& count) {
    const bool label = left_labels > 0 &&
                       (next_inner == sums.size() || counts[left_labels - 1] < sums[next_inner]);
    if (label) {
      count = counts[--left_labels];
      return static_cast<uint32_t>(left_labels);
    }
    count = sums[next_inner++];
    return n_labels_ + static_cast<uint32_t>(next_inner - 1);
  };
  while (inner_.size() + 1 < counts.size()) {
    uint64_t left_count = 0;
    uint64_t right_count = 0;
    Branches node;
    node.left = take_rarest(left_count);
    node.right = take_rarest(right_count);
    inner_.push_back(node);
    sums.push_back(left_count + right_count);
  }
}

// Left branches first. A list of what is still to visit instead of recursion, because a file can
// make the tree as deep as it has labels.
void LabelTree::search(float least, const std::function<float(uint32_t)>& right_of,
                       BestLabels& best) const {
  struct Visit {
    uint32_t node;
    float score;
  };
  std::vector<Visit> open = {{n_labels_ + static_cast<uint32_t>(inner_.size()) - 1, 0.0F}};
  if (inner_.empty()) open.front().node = 0;
  while (!open.empty()) {
    const auto [node, score] = open.back();
    open.pop_back();
    if (score < least || best.rejects(score)) continue;
    if (node < n_labels_) {
      best.add({score, node});
      continue;
    }
    const uint32_t inner = node - n_labels_;
    const float right = right_of(inner);
    const auto left = static_cast<float>(1.0 - static_cast<double>(right));
    open.push_back({inner_[inner].right, score + log_probability(right)});
    open.push_back({inner_[inner].left, score + log_probability(left)});
  }
}

}  // namespace ambry::infer
