// The expected values are products and quotients of exact integers, which JavaScript computed:
// Number(12130167007446289n) / 1e15.
#include "model/tokenizer/files/score_text.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

TEST(ScoreOfText, RoundsTheDigitsAndTheQuotient) {
  EXPECT_EQ(score_of_text("-12.130167007446289, 1]"), -12.130167007446287);
  EXPECT_EQ(score_of_text("-2.0122928619384766"), -2.012292861938477);
  EXPECT_EQ(score_of_text("-5.129043102264404"), -5.129043102264404);
}

TEST(ScoreOfText, ReadsEveryFormOfANumber) {
  EXPECT_EQ(score_of_text("0]"), 0);
  EXPECT_EQ(score_of_text("-7]"), -7);
  EXPECT_EQ(score_of_text("2.5e3"), 2500);
  EXPECT_EQ(score_of_text("25E-1]"), 2.5);
  EXPECT_EQ(score_of_text("1e+2"), 100);
  EXPECT_EQ(score_of_text("0.000e999999999999"), 0);
  EXPECT_EQ(score_of_text("1e-400"), 0);
  EXPECT_DOUBLE_EQ(score_of_text("125e-310"), 125e-310);
}

// Digits after the 19th or 20th are dropped.
TEST(ScoreOfText, DropsDigitsThatDoNotFit) {
  EXPECT_EQ(score_of_text("123456789012345678901234567890"), 12345678901234567890.0 * 1e10);
  EXPECT_EQ(score_of_text("-1.98765432109876543219999"), -(1987654321098765432.0 / 1e18));
}

}  // namespace
}  // namespace ambry::model
