// Keeps the k best of many items without sorting the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ambry {

// `Before` is a strict weak order: whether its first argument comes before the second in the
// result.
template <class T, class Before>
class TopK {
 public:
  TopK(size_t most, Before before) : most_(most), before_(std::move(before)) {
    kept_.reserve(most);
  }

  void offer(const T& item) {
    if (kept_.size() < most_) {
      kept_.push_back(item);
    } else {
      if (most_ == 0 || !before_(item, kept_.front())) return;
      std::ranges::pop_heap(kept_, before_);
      kept_.back() = item;
    }
    std::ranges::push_heap(kept_, before_);
  }

  [[nodiscard]] bool is_full() const { return kept_.size() == most_; }
  // The worst item that is kept. There must be one.
  [[nodiscard]] const T& worst() const { return kept_.front(); }

  // The items, best first. Call once.
  [[nodiscard]] std::vector<T> take() {
    std::ranges::sort_heap(kept_, before_);
    return std::move(kept_);
  }

 private:
  size_t most_;
  Before before_;
  std::vector<T> kept_;  // a heap with the worst in front
};

}  // namespace ambry
