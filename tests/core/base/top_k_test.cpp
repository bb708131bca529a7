#include "base/top_k.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ambry {
namespace {

std::vector<int> best(size_t most, const std::vector<int>& items) {
  TopK<int, std::greater<>> best(most, {});
  for (const int item : items) best.offer(item);
  return best.take();
}

TEST(TopK, KeepsTheBestInOrder) {
  EXPECT_EQ(best(3, {5, 1, 9, 7, 3, 9, 2}), (std::vector<int>{9, 9, 7}));
  EXPECT_EQ(best(1, {1, 2, 3}), (std::vector<int>{3}));
}

TEST(TopK, KeepsAllOfFewerItems) { EXPECT_EQ(best(9, {2, 3, 1}), (std::vector<int>{3, 2, 1})); }

TEST(TopK, ReturnsTheWorstItem) {
  TopK<int, std::greater<>> best(2, {});
  best.offer(7);
  EXPECT_FALSE(best.is_full());
  EXPECT_EQ(best.worst(), 7);
  best.offer(9);
  EXPECT_TRUE(best.is_full());
  best.offer(8);
  EXPECT_EQ(best.worst(), 8);
}

TEST(TopK, ReturnsNoItemsForZeroOrWithoutInput) {
  EXPECT_TRUE(best(0, {1, 2}).empty());
  EXPECT_TRUE(best(2, {}).empty());
}

}  // namespace
}  // namespace ambry
