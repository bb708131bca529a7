#include "base/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ambry {
namespace {

TEST(SortedOrder, EqualsAStableSortForEveryLength) {
  uint32_t state = 1;
  for (size_t n = 0; n < 200; ++n) {
    std::vector<uint32_t> keys(n);
    for (uint32_t& key : keys) {
      state = state * 1664525U + 1013904223U;
      key = (state >> 16) % 17;  // many ties
    }
    std::vector<uint32_t> expected(n);
    for (uint32_t i = 0; i < n; ++i) expected[i] = i;
    std::sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(keys[a], a) < std::pair(keys[b], b);
    });
    EXPECT_EQ(sorted_order(n, [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; }), expected);
  }
}

TEST(SortItems, MovesTheItemsAndKeepsTiesInSequence) {
  std::vector<std::pair<int, std::string>> items = {{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}};
  sort_items(items, [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::vector<std::pair<int, std::string>> expected = {
      {1, "b"}, {1, "d"}, {2, "a"}, {2, "c"}};
  EXPECT_EQ(items, expected);
}

}  // namespace
}  // namespace ambry
