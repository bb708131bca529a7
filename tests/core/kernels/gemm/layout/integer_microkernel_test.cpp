#include "kernels/gemm/layout/integer_microkernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class IntegerMicrokernelTest : public ::testing::Test {};
TYPED_TEST_SUITE(IntegerMicrokernelTest, TypedIsas, IsaNames);

template <class T>
std::vector<T> random_integers(TestRandom& random, size_t n, int32_t low, int32_t high) {
  std::vector<T> integers(n);
  for (T& integer : integers) {
    const auto step = static_cast<int32_t>(random.bits() % static_cast<uint32_t>(high - low + 1));
    integer = static_cast<T>(low + step);
  }
  return integers;
}

template <class V, class Operands>
void expect_sums(size_t rows, size_t n_lanes, const std::vector<typename Operands::Row>& a,
                 const std::vector<typename Operands::Column>& panel) {
  constexpr size_t kPerLane = Operands::kPerLane;
  const size_t row = n_lanes * kPerLane;
  std::vector<int32_t> tile(rows * kPanelColumns, -1);
  multiply_integer_rows<V, Operands>(rows, a.data(), row, panel.data(), n_lanes, tile.data());
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < kPanelColumns; ++c) {
      int64_t sum = 0;
      for (size_t i = 0; i < row; ++i) {
        const size_t at = (i / kPerLane * kPanelColumns + c) * kPerLane + i % kPerLane;
        sum += int64_t{a[r * row + i]} * panel[at];
      }
      EXPECT_EQ(tile[r * kPanelColumns + c], sum) << rows << ' ' << n_lanes;
    }
  }
}

TYPED_TEST(IntegerMicrokernelTest, SumsEveryRowAndColumn) {
  using V = TypeParam;
  TestRandom random(1);
  for (size_t rows = 1; rows <= kIntegerTileRows; ++rows) {
    for (const size_t n_lanes : {0U, 1U, 2U, 7U, 36U}) {
      expect_sums<V, Int16Pairs>(
          rows, n_lanes, random_integers<int16_t>(random, rows * n_lanes * 2, -255, 255),
          random_integers<int16_t>(random, n_lanes * 2 * kPanelColumns, -255, 255));
      expect_sums<V, Int8ByUint8>(
          rows, n_lanes, random_integers<int8_t>(random, rows * n_lanes * 4, -128, 127),
          random_integers<uint8_t>(random, n_lanes * 4 * kPanelColumns, 0, 127));
    }
  }
}

// Two products of the same sign nearly fill 16 bits, where engines could saturate.
TYPED_TEST(IntegerMicrokernelTest, SumsTheLargestBytes) {
  using V = TypeParam;
  constexpr size_t kLanes = 5;
  const std::vector<uint8_t> panel(kLanes * 4 * kPanelColumns, 127);
  for (const int8_t weight : {int8_t{-128}, int8_t{127}}) {
    expect_sums<V, Int8ByUint8>(1, kLanes, std::vector<int8_t>(kLanes * 4, weight), panel);
  }
}

TEST(IntegerMicrokernel, SplitsOffTheEighthBit) {
  std::vector<uint8_t> codes = {0, 1, 127, 128, 129, 255};
  std::vector<uint8_t> high(codes.size(), 9);
  EXPECT_TRUE(split_eighth_bits(codes.data(), codes.size(), high.data()));
  EXPECT_EQ(codes, (std::vector<uint8_t>{0, 1, 127, 0, 1, 127}));
  EXPECT_EQ(high, (std::vector<uint8_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_FALSE(split_eighth_bits(codes.data(), codes.size(), high.data()));
  EXPECT_EQ(high, std::vector<uint8_t>(codes.size(), 0));
}

}  // namespace
}  // namespace ambry::kernels
