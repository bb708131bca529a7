#include "infer/decoder/experts/expert_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace ambry::infer {
namespace {

using Weights = std::map<uint32_t, float>;

// The experts of one row, in the order in which they are taken, with their weights.
Weights chosen(const model::ExpertConfig& config, const std::vector<float>& logits,
               const std::vector<float>& bias = {}) {
  ExpertChoice choice;
  choice.begin(config);
  choice.choose(0, logits, bias);
  choice.start();
  Weights weights;
  for (; choice.more(); choice.advance()) {
    EXPECT_TRUE(weights.empty() || weights.rbegin()->first < choice.next());
    EXPECT_EQ(choice.rows().size(), 1U);
    weights[choice.next()] = choice.rows().front().weight;
  }
  return weights;
}

TEST(ExpertChoice, TakesTheLargestProbabilities) {
  const model::ExpertConfig config{.count = 4, .used = 2};
  const Weights weights = chosen(config, {0, 2, -1, 1});
  const double sum = 1 + std::exp(2.0) + std::exp(-1.0) + std::exp(1.0);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_FLOAT_EQ(weights.at(1), static_cast<float>(std::exp(2.0) / sum));
  EXPECT_FLOAT_EQ(weights.at(3), static_cast<float>(std::exp(1.0) / sum));
}

TEST(ExpertChoice, NormalizesAndScales) {
  const model::ExpertConfig config{.count = 3, .used = 2, .normalize = true, .scale = 2.5};
  const Weights weights = chosen(config, {1, 1, -30});
  EXPECT_FLOAT_EQ(weights.at(0), 1.25F);
  EXPECT_FLOAT_EQ(weights.at(1), 1.25F);
}

TEST(ExpertChoice, CountsTheBiasForTheChoiceOnly) {
  const model::ExpertConfig config{.count = 3, .used = 1, .sigmoid = true};
  const Weights weights = chosen(config, {3, 0, -2}, {0, 0, 5});
  ASSERT_EQ(weights.size(), 1U);
  EXPECT_FLOAT_EQ(weights.at(2), static_cast<float>(1 / (1 + std::exp(2.0))));
}

TEST(ExpertChoice, PrefersLowerIndicesOfEqualScores) {
  const Weights weights = chosen({.count = 5, .used = 3}, {1, 1, 1, 1, 1});
  EXPECT_EQ(weights.size(), 3U);
  EXPECT_TRUE(weights.contains(0) && weights.contains(1) && weights.contains(2));
}

TEST(ExpertChoice, TakesAsManyOfValuesThatAreNotNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Weights weights = chosen({.count = 4, .used = 3}, {nan, nan, nan, nan});
  EXPECT_EQ(weights.size(), 3U);
  EXPECT_TRUE(std::isnan(weights.begin()->second));
}

TEST(ExpertChoice, GathersTheRowsOfAnExpert) {
  ExpertChoice choice;
  choice.begin({.count = 3, .used = 1});
  choice.choose(0, std::vector<float>{0, 0, 1}, {});
  choice.choose(1, std::vector<float>{1, 0, 0}, {});
  choice.choose(2, std::vector<float>{0, 0, 1}, {});
  choice.start();
  EXPECT_EQ(choice.next(), 0U);
  EXPECT_EQ(choice.rows().size(), 1U);
  choice.advance();
  EXPECT_EQ(choice.next(), 2U);
  ASSERT_EQ(choice.rows().size(), 2U);
  EXPECT_EQ(choice.rows()[1].row, 2U);
  choice.advance();
  EXPECT_FALSE(choice.more());
  EXPECT_TRUE(choice.begun());
}

}  // namespace
}  // namespace ambry::infer
