#include "kernels/gemm/integer_microkernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class IntegerProductsTest : public ::testing::Test {};
TYPED_TEST_SUITE(IntegerProductsTest, TypedIsas, IsaNames);

template <class T>
std::vector<T> made_up_integers(MadeUpNumbers& numbers, size_t n, int32_t low, int32_t high) {
  std::vector<T> integers(n);
  for (T& integer : integers) {
    const auto step = static_cast<int32_t>(numbers.bits() % static_cast<uint32_t>(high - low + 1));
    integer = static_cast<T>(low + step);
  }
  return integers;
}

template <class V, class Form>
void expect_sums(size_t rows, size_t n_lanes, const std::vector<typename Form::Row>& a,
                 const std::vector<typename Form::Column>& panel) {
  constexpr size_t kNumbers = Form::kNumbers;
  const size_t row = n_lanes * kNumbers;
  std::vector<int32_t> tile(rows * kPanelColumns, -1);
  multiply_integer_rows<V, Form>(rows, a.data(), row, panel.data(), n_lanes, tile.data());
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < kPanelColumns; ++c) {
      int64_t sum = 0;
      for (size_t i = 0; i < row; ++i) {
        const size_t at = (i / kNumbers * kPanelColumns + c) * kNumbers + i % kNumbers;
        sum += int64_t{a[r * row + i]} * panel[at];
      }
      EXPECT_EQ(tile[r * kPanelColumns + c], sum) << rows << ' ' << n_lanes;
    }
  }
}

TYPED_TEST(IntegerProductsTest, AddUpEveryRowAndColumn) {
  using V = TypeParam;
  MadeUpNumbers numbers(1);
  for (size_t rows = 1; rows <= kPairRows; ++rows) {
    for (const size_t n_lanes : {0U, 1U, 2U, 7U, 36U}) {
      expect_sums<V, Pairs>(
          rows, n_lanes, made_up_integers<int16_t>(numbers, rows * n_lanes * 2, -255, 255),
          made_up_integers<int16_t>(numbers, n_lanes * 2 * kPanelColumns, -255, 255));
      expect_sums<V, Quads>(
          rows, n_lanes, made_up_integers<int8_t>(numbers, rows * n_lanes * 4, -128, 127),
          made_up_integers<uint8_t>(numbers, n_lanes * 4 * kPanelColumns, 0, 127));
    }
  }
}

// Where engines could saturate: two products of one sign in 16 bits.
TYPED_TEST(IntegerProductsTest, AddUpTheLargestQuads) {
  using V = TypeParam;
  constexpr size_t kLanes = 5;
  const std::vector<uint8_t> panel(kLanes * 4 * kPanelColumns, 127);
  for (const int8_t weight : {int8_t{-128}, int8_t{127}}) {
    expect_sums<V, Quads>(1, kLanes, std::vector<int8_t>(kLanes * 4, weight), panel);
  }
}

TEST(IntegerProducts, TakeTheEighthBitOff) {
  std::vector<uint8_t> codes = {0, 1, 127, 128, 129, 255};
  std::vector<uint8_t> high(codes.size(), 9);
  EXPECT_TRUE(take_high_bits(codes.data(), codes.size(), high.data()));
  EXPECT_EQ(codes, (std::vector<uint8_t>{0, 1, 127, 0, 1, 127}));
  EXPECT_EQ(high, (std::vector<uint8_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_FALSE(take_high_bits(codes.data(), codes.size(), high.data()));
  EXPECT_EQ(high, std::vector<uint8_t>(codes.size(), 0));
}

}  // namespace
}  // namespace ambry::kernels
