#include "infer/check_outputs.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace ambry::infer {
namespace {

TEST(CheckOutputs, TakesNumbersThatAreFinite) {
  EXPECT_TRUE(check_outputs({}, "texts[0]"));
  EXPECT_TRUE(check_outputs(std::array{0.0F, -3e38F, 3e38F}, "texts[0]"));
}

TEST(CheckOutputs, NamesTheInputWhereOneIsNot) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()}) {
    const auto checked = check_outputs(std::array{1.0F, bad}, {"texts[", 2U, "]"});
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::BadValue);
    EXPECT_EQ(checked.error().path, "texts[2]");
  }
}

}  // namespace
}  // namespace ambry::infer
