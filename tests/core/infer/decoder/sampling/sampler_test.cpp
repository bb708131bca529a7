#include "infer/decoder/sampling/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ambry::infer {
namespace {

std::vector<uint32_t> picks(const SamplerOptions& options, const std::vector<float>& logits,
                            size_t count, const std::vector<uint32_t>& so_far = {}) {
  Sampler sampler = *Sampler::create(options);
  std::vector<uint32_t> ids(count);
  for (uint32_t& id : ids) id = sampler.pick(logits, so_far);
  return ids;
}

// The share of picks of each id.
std::vector<double> shares(const SamplerOptions& options, const std::vector<float>& logits) {
  constexpr size_t kPicks = 40'000;
  std::vector<double> shares(logits.size());
  for (const uint32_t id : picks(options, logits, kPicks)) shares[id] += 1.0 / kPicks;
  return shares;
}

void expect_shares(const std::vector<double>& found, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 0.012) << "id " << i;
    EXPECT_EQ(found[i] == 0, expected[i] == 0) << "id " << i;
  }
}

SamplerOptions options(double temperature) {
  SamplerOptions options;
  options.temperature = temperature;
  options.seed = 7;
  return options;
}

// Probabilities 0.1, 0.4, 0.3, 0.2.
std::vector<float> four() {
  return {std::log(0.1F), std::log(0.4F), std::log(0.3F), std::log(0.2F)};
}

TEST(Sampler, TakesTheMostLikelyAtTemperatureZero) {
  EXPECT_EQ(picks(options(0), {1, 3, 2}, 2), (std::vector<uint32_t>{1, 1}));
  EXPECT_EQ(picks(options(0), {1, 3, 3}, 1), (std::vector<uint32_t>{1}));
}

TEST(Sampler, FollowsTheProbabilities) {
  expect_shares(shares(options(1), four()), {0.1, 0.4, 0.3, 0.2});
  // The squares, normalized.
  expect_shares(shares(options(0.5), four()), {0.01 / 0.3, 0.16 / 0.3, 0.09 / 0.3, 0.04 / 0.3});
}

TEST(Sampler, KeepsTheTopK) {
  SamplerOptions two = options(1);
  two.top_k = 2;
  expect_shares(shares(two, four()), {0, 4.0 / 7, 3.0 / 7, 0});
  two.top_k = 1;
  expect_shares(shares(two, {5, 5, 5, 5}), {1, 0, 0, 0});
  two.top_k = 9;
  expect_shares(shares(two, four()), {0.1, 0.4, 0.3, 0.2});
}

TEST(Sampler, KeepsTheFewestTokensWithTopP) {
  SamplerOptions options_p = options(1);
  options_p.top_p = 0.65;
  expect_shares(shares(options_p, four()), {0, 4.0 / 7, 3.0 / 7, 0});
  options_p.top_p = 0.75;
  expect_shares(shares(options_p, four()), {0, 4.0 / 9, 3.0 / 9, 2.0 / 9});
  options_p.top_p = 0;
  expect_shares(shares(options_p, four()), {0, 1, 0, 0});
}

TEST(Sampler, AppliesTopPAfterTopK) {
  SamplerOptions both = options(1);
  both.top_k = 2;
  both.top_p = 0.5;  // of 4/7 and 3/7
  expect_shares(shares(both, four()), {0, 1, 0, 0});
}

TEST(Sampler, DropsTokensBelowMinP) {
  SamplerOptions least = options(1);
  least.min_p = 0.6;  // of 0.4
  expect_shares(shares(least, four()), {0, 4.0 / 7, 3.0 / 7, 0});
  least.min_p = 1;
  expect_shares(shares(least, four()), {0, 1, 0, 0});
}

TEST(Sampler, PenalizesEachDistinctTokenOnce) {
  SamplerOptions penalty = options(0);
  penalty.repetition_penalty = 1.5;
  // 3 / 1.5 = 2 is still above 1.9; twice it would not be.
  EXPECT_EQ(picks(penalty, {1.9F, 3}, 1, {1, 1, 1}), (std::vector<uint32_t>{1}));
  EXPECT_EQ(picks(penalty, {2.1F, 3}, 1, {1}), (std::vector<uint32_t>{0}));
  // Negative logits are multiplied.
  EXPECT_EQ(picks(penalty, {-2, -1.5F}, 1, {1}), (std::vector<uint32_t>{0}));
  // Ids outside the model are ignored.
  EXPECT_EQ(picks(penalty, {1, 2}, 1, {77}), (std::vector<uint32_t>{1}));
}

// The penalty comes before the temperature (core/infer/decoder/README.md#sampling).
TEST(Sampler, PenalizesBeforeTheTemperature) {
  SamplerOptions penalty = options(0.5);
  penalty.repetition_penalty = 2;
  Sampler sampler = *Sampler::create(penalty);
  const std::vector<float> logits = {2, 1};
  const std::vector<uint32_t> so_far = {0};
  double first = 0;
  for (int i = 0; i < 20'000; ++i) first += sampler.pick(logits, so_far) == 0 ? 1.0 / 20'000 : 0;
  EXPECT_NEAR(first, 0.5, 0.012);  // 2 / 2 against 1
}

// The same as tests/reference/sampler_reference.py draws.
TEST(Sampler, PicksTheSameForASeed) {
  std::vector<float> logits(1000);
  for (size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>(static_cast<int>(i * 7919 % 1000) - 500) / 64;
  }
  SamplerOptions all = options(0.9);
  all.top_p = 0.95;
  EXPECT_EQ(picks(all, logits, 8), (std::vector<uint32_t>{544, 778, 853, 76, 644, 742, 284, 247}));
  all.top_p = 1;
  EXPECT_EQ(picks(all, logits, 8), (std::vector<uint32_t>{704, 284, 852, 976, 988, 889, 64, 124}));
  all.top_k = 40;
  EXPECT_EQ(picks(all, logits, 8), (std::vector<uint32_t>{25, 889, 272, 519, 840, 914, 642, 284}));
  all.seed = 8;
  EXPECT_EQ(picks(all, logits, 8), (std::vector<uint32_t>{951, 741, 741, 877, 173, 247, 136, 741}));
}

// Tokens that are dropped before sorting never belong to the result.
TEST(Sampler, EarlyDropsDoNotChangeTopP) {
  std::vector<float> logits(700);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i * 79 % 700) / 40;
  std::vector<double> sorted;
  double total = 0;
  for (const float logit : logits) total += sorted.emplace_back(std::exp(logit));
  std::ranges::sort(sorted, std::greater<>());
  for (const double top_p : {0.05, 0.5, 0.9, 0.999}) {
    double sum = 0;
    size_t needed = 0;
    while (sum < top_p * total) sum += sorted[needed++];
    SamplerOptions kept = options(1);
    kept.top_p = top_p;
    std::vector<uint32_t> ids = picks(kept, logits, 4000);
    std::ranges::sort(ids);
    const auto distinct = static_cast<size_t>(std::ranges::unique(ids).begin() - ids.begin());
    EXPECT_LE(distinct, needed);
    for (size_t i = 0; i < distinct; ++i) {
      EXPECT_GE(std::exp(static_cast<double>(logits[ids[i]])), sorted[needed - 1] * 0.9999);
    }
  }
}

TEST(Sampler, SurvivesExtremeTemperatures) {
  EXPECT_EQ(picks(options(1e-30), {1, 1.0001F, 0}, 3), (std::vector<uint32_t>{1, 1, 1}));
  expect_shares(shares(options(1e6), {3, -3, 0, 80}), {0.25, 0.25, 0.25, 0.25});
}

TEST(Sampler, NamesTheInvalidOption) {
  const auto path = [](auto&& change) {
    SamplerOptions wrong;
    change(wrong);
    const auto created = Sampler::create(wrong);
    return created ? std::string("none") : created.error().path;
  };
  EXPECT_EQ(path([](SamplerOptions& o) { o.temperature = -1; }), "options.temperature");
  EXPECT_EQ(path([](SamplerOptions& o) { o.temperature = std::nan(""); }), "options.temperature");
  EXPECT_EQ(path([](SamplerOptions& o) { o.top_p = 1.1; }), "options.topP");
  EXPECT_EQ(path([](SamplerOptions& o) { o.min_p = -0.1; }), "options.minP");
  EXPECT_EQ(path([](SamplerOptions& o) { o.repetition_penalty = 0; }), "options.repetitionPenalty");
}

}  // namespace
}  // namespace ambry::infer
