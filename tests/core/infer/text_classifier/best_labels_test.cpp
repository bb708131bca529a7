#include "infer/text_classifier/best_labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace ambry::infer {
namespace {

using Pairs = std::vector<std::pair<float, uint32_t>>;

Pairs kept(const std::vector<float>& scores, size_t most) {
  BestLabels best(most);
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!best.rejects(scores[i])) best.add({scores[i], static_cast<uint32_t>(i)});
  }
  Pairs pairs;
  for (const auto& [score, label] : best.take()) pairs.emplace_back(score, label);
  return pairs;
}

TEST(BestLabels, AreTheHighestInFallingOrder) {
  const Pairs expected = {{9, 2}, {5, 0}, {4, 4}};
  EXPECT_EQ(kept({5, 1, 9, 3, 4}, 3), expected);
  EXPECT_EQ(kept({}, 3), Pairs());
  EXPECT_EQ(kept({1, 1}, 1).size(), 1U);
}

#ifdef __GLIBCXX__
// What fastText does, with the library that its program is built with.
Pairs with_heap_of_library(const std::vector<float>& scores, size_t most) {
  const auto comes_first = [](const auto& a, const auto& b) { return a.first > b.first; };
  Pairs heap;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (heap.size() == most && scores[i] < heap.front().first) continue;
    heap.emplace_back(scores[i], static_cast<uint32_t>(i));
    std::push_heap(heap.begin(), heap.end(), comes_first);
    if (heap.size() <= most) continue;
    std::pop_heap(heap.begin(), heap.end(), comes_first);
    heap.pop_back();
  }
  std::sort_heap(heap.begin(), heap.end(), comes_first);
  return heap;
}

TEST(BestLabels, OrderEqualScoresAsTheLibraryOfFastTextDoes) {
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::vector<float> scores(random() % 40);
    for (float& score : scores) score = static_cast<float>(random() % 6);
    const size_t most = 1 + random() % 20;
    ASSERT_EQ(kept(scores, most), with_heap_of_library(scores, most)) << round;
  }
}
#endif

}  // namespace
}  // namespace ambry::infer
