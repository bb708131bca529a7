#include "infer/decoder/sampling/mirostat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "infer/decoder/sampling/sampler.h"

namespace ambry::infer {
namespace {

// Zipf's law: the probability of a rank is proportional to rank^-1.2.
std::vector<float> zipf() {
  std::vector<float> logits(5000);
  for (size_t i = 0; i < logits.size(); ++i) {
    logits[i] = -1.2F * std::log(static_cast<float>(i + 1));
  }
  return logits;
}

TEST(Mirostat, HoldsTheSurprise) {
  for (const uint64_t version : {1U, 2U}) {
    for (const double tau : {2.0, 4.0}) {
      SamplerOptions options;
      options.temperature = 1;
      options.seed = 5;
      options.mirostat = {.version = version, .tau = tau, .eta = 0.1};
      Sampler sampler = *Sampler::create(options);
      const std::vector<float> logits = zipf();
      constexpr int kPicks = 600;
      double surprise = 0;
      for (int i = 0; i < kPicks; ++i) {
        const uint32_t id = *sampler.pick(logits, {});
        const double total = sum_of_weights(sampler.candidates());
        for (const Candidate& c : sampler.candidates()) {
          if (c.id == id) surprise -= std::log2(c.weight / total) / kPicks;
        }
      }
      EXPECT_NEAR(surprise, tau, 0.15) << version;
    }
  }
}

TEST(Mirostat, StartsAtTwiceTheTarget) {
  Mirostat mirostat({.version = 2, .tau = 3, .eta = 0.5});
  EXPECT_EQ(mirostat.limit(), 6);
  mirostat.learn(0.5);  // 1 bit, 2 below the target
  EXPECT_DOUBLE_EQ(mirostat.limit(), 7);
}

TEST(Mirostat, KeepsTheMostLikelyTokenAtLeast) {
  for (const uint64_t version : {1U, 2U}) {
    const Mirostat mirostat({.version = version, .tau = 0, .eta = 0.1});
    Candidates candidates;
    for (uint32_t id = 0; id < 50; ++id) {
      candidates.push_back({id, id == 7 ? 0.5F : static_cast<float>(id % 9) / 20, 0});
    }
    weigh(candidates, 1);
    mirostat.keep(candidates, 1, 50);
    ASSERT_EQ(candidates.size(), 1U) << version;
    EXPECT_EQ(candidates[0].id, 7U);
  }
}

// Options that cut are not used: 2 would keep one token.
TEST(Mirostat, ReplacesTheTruncation) {
  SamplerOptions options;
  options.temperature = 1;
  options.top_k = 1;
  options.mirostat = {.version = 2, .tau = 5, .eta = 0.1};
  Sampler sampler = *Sampler::create(options);
  ASSERT_TRUE(sampler.pick(zipf(), {}));
  EXPECT_GT(sampler.candidates().size(), 1U);
}

}  // namespace
}  // namespace ambry::infer
