#include "infer/text_classifier/best_labels.h"

#include <utility>

namespace ambry::infer {

void BestLabels::add(LabelScore item) {
  heap_.push_back(item);
  sift_up(heap_.size() - 1, item);
  if (heap_.size() <= most_) return;
  const LabelScore last = heap_.back();
  replace_top(heap_.size() - 1, last);
  heap_.pop_back();
}

// Moves parents with a higher score down until `item` has its place.
void BestLabels::sift_up(size_t hole, LabelScore item) {
  while (hole > 0) {
    const size_t parent = (hole - 1) / 2;
    if (!(heap_[parent].score > item.score)) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = item;
}

// Puts `item` into the first `size` places instead of the top: the hole sinks to the bottom, always
// to the child with the lower score and to the right one of two equals, and `item` rises from
// there.
void BestLabels::replace_top(size_t size, LabelScore item) {
  size_t hole = 0;
  while (2 * hole + 2 < size) {
    const size_t right = 2 * hole + 2;
    const size_t child = heap_[right].score > heap_[right - 1].score ? right - 1 : right;
    heap_[hole] = heap_[child];
    hole = child;
  }
  if (2 * hole + 2 == size) {
    heap_[hole] = heap_[2 * hole + 1];
    hole = 2 * hole + 1;
  }
  if (size > 0) sift_up(hole, item);
}

std::vector<LabelScore> BestLabels::take() {
  for (size_t size = heap_.size(); size > 1; --size) {
    const LabelScore last = heap_[size - 1];
    heap_[size - 1] = heap_.front();
    replace_top(size - 1, last);
  }
  return std::move(heap_);
}

}  // namespace ambry::infer
