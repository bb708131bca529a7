#include "infer/decoder/token_probability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ambry::infer {
namespace {

TEST(TokenProbability, IsTheSoftmaxOfAllLogits) {
  std::vector<float> logits(300);
  double sum = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>(i * 37 % 300) / 17 - 4;
    sum += std::exp(static_cast<double>(logits[i]));
  }
  EXPECT_NEAR(log_sum_exp(logits), std::log(sum), 1e-6);
  EXPECT_NEAR(log_probability(logits, 5), logits[5] - std::log(sum), 1e-6);
}

TEST(TokenProbability, LargeLogitsDoNotOverflow) {
  const std::vector<float> logits = {3e38F, -3e38F};
  EXPECT_EQ(log_probability(logits, 0), 0);
  EXPECT_LT(log_probability(logits, 1), -1e38);
}

TEST(TokenProbability, OrdersTheMostLikely) {
  const std::vector<float> logits = {1, 3, 2, 3};
  const auto best = most_likely(logits, 3);
  ASSERT_EQ(best.size(), 3U);
  EXPECT_EQ(best[0].id, 1U);
  EXPECT_EQ(best[1].id, 3U);
  EXPECT_EQ(best[2], (TokenProbability{2, log_probability(logits, 2)}));
  EXPECT_EQ(most_likely(logits, 9).size(), 4U);
}

TEST(Perplexity, IsTheInverseOfTheMeanProbability) {
  Perplexity perplexity;
  EXPECT_TRUE(std::isnan(perplexity.value()));
  perplexity.add(std::log(0.5));
  perplexity.add(std::log(0.125));
  EXPECT_EQ(perplexity.count(), 2U);
  EXPECT_NEAR(perplexity.value(), 4, 1e-12);
}

}  // namespace
}  // namespace ambry::infer
