#include "tensor/codec/codes/group_codes.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ambry::tensor {
namespace {

struct Coded {
  GroupScale scale;
  std::vector<int8_t> codes;
};

Coded coded(const std::vector<float>& values, bool asymmetric) {
  const auto scale = fit_group(values, asymmetric);
  EXPECT_TRUE(scale);
  std::vector<int8_t> codes(values.size());
  code_group(values, *scale, asymmetric, codes.data());
  return {*scale, codes};
}

// core/formats/tinyruntime/README.md#group-size, and the ends.
TEST(GroupCodes, ChoosesTheNearestDivisor) {
  const struct {
    uint64_t count, wanted, chosen;
  } kCases[] = {{72, 64, 72}, {147, 64, 49}, {162, 64, 54}, {45, 64, 45}, {108, 16, 18},
                {20, 3, 2},   {9, 4, 3},     {13, 2, 1},    {64, 64, 64}, {128, 64, 64},
                {1, 1, 1},    {5, 1, 1},     {97, 64, 97},  {6, 4, 3},    {1'048'573, 64, 1}};
  for (const auto& [count, wanted, chosen] : kCases) {
    EXPECT_EQ(choose_group(count, wanted), chosen) << count << " in groups of " << wanted;
  }
}

TEST(GroupCodes, SymmetricCodesReach127) {
  const auto [scale, codes] = coded({-2.54F, 1.27F, 0, 0.01F, 0.03F}, false);
  EXPECT_EQ(scale.scale, 2.54F / 127.0F);
  EXPECT_EQ(scale.zero_point, 0);
  EXPECT_EQ(codes[0], -127);
  EXPECT_EQ(codes[2], 0);
}

TEST(GroupCodes, RoundsHalfToEven) {
  const auto [scale, codes] = coded({127, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F}, false);
  EXPECT_EQ(scale.scale, 1.0F);
  EXPECT_EQ(codes, (std::vector<int8_t>{127, 0, 2, 2, 0, -2}));
}

TEST(GroupCodes, ZerosHaveNoScale) {
  const auto [scale, codes] = coded({0, -0.0F, 0}, false);
  EXPECT_EQ(scale.scale, 0);
  EXPECT_EQ(codes, (std::vector<int8_t>{0, 0, 0}));
}

TEST(GroupCodes, AsymmetricCodesSpanTheRange) {
  const auto [scale, codes] = coded({-1, 254, 0, 126.5F}, true);
  EXPECT_EQ(scale.scale, 1.0F);
  EXPECT_EQ(scale.zero_point, -127);
  EXPECT_EQ(codes, (std::vector<int8_t>{-128, 127, -127, 0}));
}

// core/formats/tinyruntime/README.md#specification: far outside of int8.
TEST(GroupCodes, AConstantGroupHasAFarZeroPoint) {
  const auto [scale, codes] = coded({0.5F, 0.5F}, true);
  EXPECT_EQ(scale.scale, 1e-4F);
  EXPECT_EQ(scale.zero_point, -5128);
  EXPECT_EQ(codes, (std::vector<int8_t>{-128, -128}));
}

TEST(GroupCodes, RejectsValuesWithoutAScale) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const bool asymmetric : {false, true}) {
    for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
      const auto scale = fit_group(std::vector<float>{1, bad}, asymmetric);
      ASSERT_FALSE(scale);
      EXPECT_EQ(scale.error().code, ErrorCode::BadValue);
    }
  }
  constexpr float kMost = std::numeric_limits<float>::max();
  for (const auto& values : {std::vector<float>{-kMost, kMost}, std::vector<float>{1e6F, 1e6F}}) {
    const auto scale = fit_group(values, true);
    ASSERT_FALSE(scale);
    EXPECT_EQ(scale.error().code, ErrorCode::Overflow);
  }
}

}  // namespace
}  // namespace ambry::tensor
