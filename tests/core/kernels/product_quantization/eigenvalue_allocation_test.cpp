#include "kernels/product_quantization/eigenvalue_allocation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ambry::kernels {
namespace {

using Axes = std::vector<uint32_t>;

TEST(EigenvalueAllocation, AssignsToTheSmallestProduct) {
  // 16 and 8 start the slices. 4 and then 2 go where the product is smaller.
  EXPECT_EQ(allocate_axes(std::vector<double>{16, 8, 4, 2}, 2), (Axes{0, 3, 1, 2}));
  EXPECT_EQ(allocate_axes(std::vector<double>{100, 3, 2, 1}, 2), (Axes{0, 3, 1, 2}));
  EXPECT_EQ(allocate_axes(std::vector<double>{5, 4, 3, 2, 1, 1}, 3), (Axes{0, 5, 1, 4, 2, 3}));
}

TEST(EigenvalueAllocation, TiesGoToTheFirstSlice) {
  EXPECT_EQ(allocate_axes(std::vector<double>{1, 1, 1, 1}, 2), (Axes{0, 1, 2, 3}));
  EXPECT_EQ(allocate_axes(std::vector<double>{0, 0}, 1), (Axes{0, 1}));
  EXPECT_EQ(allocate_axes(std::vector<double>{2, 1}, 2), (Axes{0, 1}));
}

TEST(EigenvalueAllocation, HandlesProductsPastTheRangeOfDoubles) {
  std::vector<double> variances(1024, 1e30);
  std::fill(variances.begin() + 512, variances.end(), 1e-30);
  const Axes axes = allocate_axes(variances, 2);
  for (size_t slice = 0; slice < 2; ++slice) {
    const auto begin = axes.begin() + static_cast<std::ptrdiff_t>(slice * 512);
    EXPECT_EQ(std::count_if(begin, begin + 512, [](uint32_t axis) { return axis < 512; }), 256);
  }
}

}  // namespace
}  // namespace ambry::kernels
