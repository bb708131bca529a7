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
  for (uint32_t& id : ids) id = *sampler.pick(logits, so_far);
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
  penalty.penalties.repetition = 1.5;
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
  penalty.penalties.repetition = 2;
  Sampler sampler = *Sampler::create(penalty);
  const std::vector<float> logits = {2, 1};
  const std::vector<uint32_t> so_far = {0};
  double first = 0;
  for (int i = 0; i < 20'000; ++i) first += *sampler.pick(logits, so_far) == 0 ? 1.0 / 20'000 : 0;
  EXPECT_NEAR(first, 0.5, 0.012);  // 2 / 2 against 1
}

TEST(Sampler, SurvivesExtremeTemperatures) {
  EXPECT_EQ(picks(options(1e-30), {1, 1.0001F, 0}, 3), (std::vector<uint32_t>{1, 1, 1}));
  expect_shares(shares(options(1e6), {3, -3, 0, 80}), {0.25, 0.25, 0.25, 0.25});
}

TEST(Sampler, CutsBeforeTheTemperature) {
  // At temperature 1 the second token is below min-p. A high temperature does not bring it back.
  SamplerOptions least = options(1000);
  least.min_p = 0.5;
  expect_shares(shares(least, {0, -1}), {1, 0});
  least.min_p = 0.3;
  expect_shares(shares(least, {0, -1}), {0.5, 0.5});
}

TEST(Sampler, KeepsAtLeastMinKeep) {
  SamplerOptions kept = options(1);
  kept.top_p = 0;
  kept.min_keep = 2;
  expect_shares(shares(kept, four()), {0, 4.0 / 7, 3.0 / 7, 0});
  kept.top_p = 1;
  kept.min_p = 1;
  expect_shares(shares(kept, four()), {0, 4.0 / 7, 3.0 / 7, 0});
  kept.min_p = 0;
  kept.typical_p = 0;
  // The entropy is 1.28; the surprise of 0.3 is 1.20, and that of 0.2 is 1.61.
  expect_shares(shares(kept, four()), {0, 0, 0.6, 0.4});
}

TEST(Sampler, LeavesOutTopChoicesAsOftenAsAsked) {
  SamplerOptions xtc = options(1);
  xtc.xtc = {.probability = 0.5, .threshold = 0.25};
  // Without 0.4, the rest has 0.1 / 0.6, 0.3 / 0.6 and 0.2 / 0.6.
  expect_shares(shares(xtc, four()),
                {(0.1 + 0.1 / 0.6) / 2, 0.4 / 2, (0.3 + 0.5) / 2, (0.2 + 0.2 / 0.6) / 2});
  xtc.xtc.probability = 1;
  expect_shares(shares(xtc, four()), {0.1 / 0.6, 0, 0.5, 0.2 / 0.6});
  xtc.min_keep = 4;
  expect_shares(shares(xtc, four()), {0.1, 0.4, 0.3, 0.2});
}

TEST(Sampler, AddsBiases) {
  SamplerOptions biased = options(1);
  biased.logit_bias = {{.id = 0, .bias = std::log(4.0)}, {.id = 1, .bias = -INFINITY}};
  expect_shares(shares(biased, four()), {4.0 / 9, 0, 3.0 / 9, 2.0 / 9});
  biased.temperature = 0;
  EXPECT_EQ(picks(biased, four(), 1), (std::vector<uint32_t>{0}));
  // Ids outside the model are ignored.
  biased.logit_bias = {{.id = 4, .bias = 9}};
  EXPECT_EQ(picks(biased, four(), 1), (std::vector<uint32_t>{1}));
}

TEST(Sampler, PicksAllowedTokensOnly) {
  SamplerOptions some = options(1);
  Sampler sampler = *Sampler::create(some);
  std::vector<double> found(70);
  std::vector<float> logits(70);
  const std::vector<uint64_t> words = {0b1010, 0b10};  // 1, 3 and 65
  for (int i = 0; i < 3000; ++i) found[*sampler.pick(logits, {}, words)] += 1.0 / 3000;
  for (size_t id = 0; id < found.size(); ++id) {
    EXPECT_NEAR(found[id], id == 1 || id == 3 || id == 65 ? 1.0 / 3 : 0, 0.04) << id;
  }
  // Ids beyond the words may not come, and temperature 0 takes the best that may.
  Sampler greedy = *Sampler::create(options(0));
  logits[2] = 9;
  logits[3] = 1;
  logits[65] = 8;
  EXPECT_EQ(*greedy.pick(logits, {}, std::span(words).first(1)), 3U);
  EXPECT_EQ(*greedy.pick(logits, {}, words), 65U);
  EXPECT_EQ(*greedy.pick(logits, {}), 2U);
}

// The rest of the vocabulary has no share in what top-p keeps.
TEST(Sampler, CutsAmongTheAllowedTokens) {
  SamplerOptions cut = options(1);
  cut.top_p = 0.5;
  Sampler sampler = *Sampler::create(cut);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(*sampler.pick(four(), {}, std::vector<uint64_t>{0b1001}), 3U);
  }
}

TEST(Sampler, FailsWhenNoTokenIsLeft) {
  for (const double temperature : {0.0, 1.0}) {
    SamplerOptions banned = options(temperature);
    banned.logit_bias = {{.id = 0, .bias = -INFINITY}, {.id = 1, .bias = -INFINITY}};
    Sampler sampler = *Sampler::create(banned);
    EXPECT_TRUE(sampler.pick(four(), {}));
    const auto none = sampler.pick(four(), {}, std::vector<uint64_t>{0b11});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::BadValue);
    EXPECT_EQ(none.error().path, "options.logitBias");
  }
}

TEST(Sampler, PenalizesInTheWindowOnly) {
  SamplerOptions penalty = options(0);
  penalty.penalties.frequency = 1;
  const std::vector<float> logits = {3, 2.5F, 0};
  EXPECT_EQ(picks(penalty, logits, 1, {0, 2, 2}), (std::vector<uint32_t>{1}));
  penalty.penalties.last_n = 2;
  EXPECT_EQ(picks(penalty, logits, 1, {0, 2, 2}), (std::vector<uint32_t>{0}));
  EXPECT_EQ(picks(penalty, logits, 1, {0, 2, 0}), (std::vector<uint32_t>{1}));
  penalty.penalties.last_n = 0;
  EXPECT_EQ(picks(penalty, logits, 1, {0, 0, 0}), (std::vector<uint32_t>{0}));
}

TEST(Sampler, CountsOccurrencesForTheFrequencyPenalty) {
  SamplerOptions penalty = options(0);
  penalty.penalties.frequency = 0.4;
  // 3 - 2 * 0.4 is above 2, and 3 - 3 * 0.4 is not.
  EXPECT_EQ(picks(penalty, {3, 2}, 1, {0, 0}), (std::vector<uint32_t>{0}));
  EXPECT_EQ(picks(penalty, {3, 2}, 1, {0, 0, 0}), (std::vector<uint32_t>{1}));
  penalty.penalties.frequency = 0;
  penalty.penalties.presence = 0.9;
  EXPECT_EQ(picks(penalty, {3, 2}, 1, {0, 0, 0}), (std::vector<uint32_t>{0}));
  // A negative one makes tokens come again.
  penalty.penalties.presence = -2;
  EXPECT_EQ(picks(penalty, {3, 2}, 1, {1}), (std::vector<uint32_t>{1}));
}

TEST(Sampler, NamesTheInvalidOption) {
  const auto path = [](auto&& change) {
    SamplerOptions wrong;
    change(wrong);
    const auto created = Sampler::create(wrong);
    return created ? std::string("none") : created.error().path;
  };
  using O = SamplerOptions;
  EXPECT_EQ(path([](O& o) { o.temperature = -1; }), "options.temperature");
  EXPECT_EQ(path([](O& o) { o.temperature = std::nan(""); }), "options.temperature");
  EXPECT_EQ(path([](O& o) { o.top_p = 1.1; }), "options.topP");
  EXPECT_EQ(path([](O& o) { o.min_p = -0.1; }), "options.minP");
  EXPECT_EQ(path([](O& o) { o.typical_p = 2; }), "options.typicalP");
  EXPECT_EQ(path([](O& o) { o.top_n_sigma = -1; }), "options.topNSigma");
  EXPECT_EQ(path([](O& o) { o.penalties.repetition = 0; }), "options.repetitionPenalty");
  EXPECT_EQ(path([](O& o) { o.penalties.frequency = INFINITY; }), "options.frequencyPenalty");
  EXPECT_EQ(path([](O& o) { o.penalties.presence = -1001; }), "options.presencePenalty");
  EXPECT_EQ(path([](O& o) { o.penalties.last_n = -2; }), "options.penaltyLastN");
  EXPECT_EQ(path([](O& o) { o.dry.multiplier = -1; }), "options.dryMultiplier");
  EXPECT_EQ(path([](O& o) { o.dry.base = 0.5; }), "options.dryBase");
  EXPECT_EQ(path([](O& o) { o.dry.allowed_length = 0; }), "options.dryAllowedLength");
  EXPECT_EQ(path([](O& o) { o.dry.last_n = -2; }), "options.dryPenaltyLastN");
  EXPECT_EQ(path([](O& o) { o.xtc.probability = 1.5; }), "options.xtcProbability");
  EXPECT_EQ(path([](O& o) { o.xtc.threshold = -1; }), "options.xtcThreshold");
  EXPECT_EQ(path([](O& o) { o.dynamic_temperature.range = -1; }), "options.dynatempRange");
  EXPECT_EQ(path([](O& o) { o.dynamic_temperature.exponent = -1; }), "options.dynatempExponent");
  EXPECT_EQ(path([](O& o) { o.mirostat.version = 3; }), "options.mirostat");
  EXPECT_EQ(path([](O& o) { o.mirostat.tau = -1; }), "options.mirostatTau");
  EXPECT_EQ(path([](O& o) { o.mirostat.eta = -1; }), "options.mirostatEta");
  EXPECT_EQ(path([](O& o) { o.logit_bias = {{0, INFINITY}}; }), "options.logitBias");
  EXPECT_EQ(path([](O& o) { o.logit_bias = {{0, std::nan("")}}; }), "options.logitBias");
  EXPECT_EQ(path([](O& o) { o.logit_bias = {{0, -INFINITY}}; }), "none");
}

}  // namespace
}  // namespace ambry::infer
