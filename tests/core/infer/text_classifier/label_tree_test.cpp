#include "infer/text_classifier/label_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace ambry::infer {
namespace {

// The depth of each label: with every branch at 1/2, its score is about -depth × ln 2.
std::map<uint32_t, int> depths(const std::vector<uint64_t>& counts) {
  const LabelTree tree(counts);
  BestLabels best(counts.size());
  tree.search(-1e30F, [](uint32_t) { return 0.5F; }, best);
  std::map<uint32_t, int> found;
  for (const auto& [score, label] : best.take()) {
    found[label] = static_cast<int>(std::lround(-score / std::log(2.0)));
  }
  return found;
}

// The least sum of count × depth, by merging the two smallest again and again.
uint64_t huffman_cost(std::vector<uint64_t> counts) {
  uint64_t cost = 0;
  while (counts.size() > 1) {
    std::ranges::sort(counts, std::greater());
    const uint64_t a = counts.back();
    counts.pop_back();
    counts.back() += a;
    cost += counts.back();
  }
  return cost;
}

TEST(LabelTree, IsAHuffmanTreeOfFallingCounts) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> counts(1 + random() % 40);
    for (uint64_t& count : counts) count = 1 + random() % 100;
    std::ranges::sort(counts, std::greater());
    const auto found = depths(counts);
    ASSERT_EQ(found.size(), counts.size());
    uint64_t cost = 0;
    for (const auto& [label, depth] : found) cost += counts[label] * static_cast<uint64_t>(depth);
    EXPECT_EQ(cost, huffman_cost(counts));
  }
}

TEST(LabelTree, OfOneLabelIsCertain) {
  BestLabels best(1);
  LabelTree(std::vector<uint64_t>{3}).search(-1, [](uint32_t) { return 0.5F; }, best);
  const auto found = best.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].score, 0);
}

// Such counts make a tree as deep as it has labels, which recursion could not search.
TEST(LabelTree, CanBeDeep) {
  std::vector<uint64_t> counts(200'000);
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = i < 2 ? 0 : i;
  std::ranges::fill(counts, 0);
  const auto all = depths(counts);
  EXPECT_EQ(all.size(), counts.size());
}

}  // namespace
}  // namespace ambry::infer
