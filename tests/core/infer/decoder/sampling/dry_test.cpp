#include "infer/decoder/sampling/dry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace ambry::infer {
namespace {

using Tokens = std::vector<uint32_t>;

DryOptions dry_options(uint64_t allowed_length = 2) {
  DryOptions options;
  options.multiplier = 1;
  options.base = 2;
  options.allowed_length = allowed_length;
  return options;
}

// The penalty of each id.
std::vector<float> penalties(const DryOptions& options, const Tokens& so_far, size_t ids = 10) {
  std::vector<float> logits(ids);
  DryPenalty(options).apply(logits, so_far);
  for (float& logit : logits) logit = 0 - logit;
  return logits;
}

// By comparing every position with the end.
std::vector<float> plain_penalties(const DryOptions& options, const Tokens& tokens) {
  std::vector<float> found(10);
  for (size_t end = 1; end < tokens.size(); ++end) {
    size_t length = 0;
    while (length < end && tokens[end - 1 - length] == tokens[tokens.size() - 1 - length]) ++length;
    if (length < options.allowed_length) continue;
    const auto more = static_cast<double>(length - options.allowed_length);
    float& penalty = found[tokens[end]];
    penalty = std::max(penalty, static_cast<float>(std::pow(options.base, more)));
  }
  return found;
}

TEST(Dry, GrowsWithTheLengthOfTheRepeat) {
  EXPECT_EQ(penalties(dry_options(), {1, 2, 3, 9, 2})[3], 0);
  EXPECT_EQ(penalties(dry_options(), {1, 2, 3, 9, 1, 2})[3], 1);
  EXPECT_EQ(penalties(dry_options(), {0, 1, 2, 3, 9, 0, 1, 2})[3], 2);
  EXPECT_EQ(penalties(dry_options(3), {0, 1, 2, 3, 9, 0, 1, 2})[3], 1);
}

TEST(Dry, FindsTheLongestRepeats) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    Tokens tokens(1 + random.below(40));
    for (uint32_t& token : tokens) token = static_cast<uint32_t>(random.below(3));
    EXPECT_EQ(penalties(dry_options(), tokens), plain_penalties(dry_options(), tokens));
  }
}

TEST(Dry, LooksAtTheLastTokensOnly) {
  DryOptions options = dry_options();
  const Tokens tokens = {1, 2, 3, 9, 1, 2};
  options.last_n = 5;
  EXPECT_EQ(penalties(options, tokens)[3], 0);
  options.last_n = 6;
  EXPECT_EQ(penalties(options, tokens)[3], 1);
  EXPECT_TRUE(DryPenalty(options).is_on());
  options.last_n = 0;
  EXPECT_FALSE(DryPenalty(options).is_on());
}

TEST(Dry, StopsAtBreakers) {
  DryOptions options = dry_options();
  options.breakers = {{8}, {7, 6}};
  // Only the tokens after the last breaker count as repeated.
  EXPECT_EQ(penalties(options, {0, 8, 1, 2, 3, 0, 8, 1, 2})[3], 1);
  EXPECT_EQ(penalties(options, {0, 8, 2, 3, 0, 8, 2})[3], 0);
  EXPECT_EQ(penalties(options, {0, 7, 6, 1, 2, 3, 0, 7, 6, 1, 2})[3], 1);
  // Half of a breaker is none.
  EXPECT_EQ(penalties(options, {0, 7, 1, 2, 3, 0, 7, 1, 2})[3], 4);
  // A breaker itself may come again.
  EXPECT_EQ(penalties(options, {1, 2, 8, 1, 2})[8], 0);
  // The longest breaker at a place counts.
  options.breakers = {{7}, {7, 1}};
  EXPECT_EQ(penalties(options, {0, 7, 1, 2, 4, 3, 0, 7, 1, 2, 4})[3], 1);
}

TEST(Dry, NeverBans) {
  DryOptions options = dry_options();
  options.base = 1000;
  const float penalty = penalties(options, Tokens(500, 4))[4];
  EXPECT_TRUE(std::isfinite(penalty));
  EXPECT_GT(penalty, 1e29F);
}

TEST(Dry, IgnoresIdsBeyondTheLogits) {
  EXPECT_EQ(penalties(dry_options(), {1, 2, 77, 77, 1, 2}), std::vector<float>(10));
}

}  // namespace
}  // namespace ambry::infer
