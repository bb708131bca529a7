// The inputs and expected probabilities of llama.cpp's tests/test-sampling.cpp, as values: each
// step alone, then chains of top-k, top-p and min-p. Where it lists tokens by likelihood, they are
// listed by id here. It does not normalize after XTC and typical sampling; here all probabilities
// add up to 1.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "infer/decoder/sampling/sampler.h"

namespace ambry::infer {
namespace {

using Probabilities = std::vector<float>;
using Tokens = std::vector<uint32_t>;
using SetOptions = std::function<void(SamplerOptions&)>;

const Probabilities kRising = {0.1F, 0.2F, 0.3F, 0.4F};
const Probabilities kFalling = {0.4F, 0.3F, 0.2F, 0.1F};

// The probabilities by id from which a token is drawn.
std::vector<double> distribution(const Probabilities& given, const SetOptions& set,
                                 const Tokens& so_far = {}) {
  std::vector<float> logits;
  for (const float probability : given) logits.push_back(std::log(probability));
  SamplerOptions options;
  options.temperature = 1;
  set(options);
  Sampler sampler = *Sampler::create(options);
  EXPECT_TRUE(sampler.pick(logits, so_far));
  std::vector<double> found(given.size());
  const double total = sum_of_weights(sampler.candidates());
  for (const auto& [id, logit, weight] : sampler.candidates()) found[id] = weight / total;
  return found;
}

void expect_probabilities(const Probabilities& given, const SetOptions& set,
                          const std::vector<double>& expected, const Tokens& so_far = {}) {
  const std::vector<double> found = distribution(given, set, so_far);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t id = 0; id < expected.size(); ++id) EXPECT_NEAR(found[id], expected[id], 1e-5) << id;
}

TEST(LlamaValues, Temperature) {
  expect_probabilities(kRising, [](SamplerOptions&) {}, {0.1, 0.2, 0.3, 0.4});
  SamplerOptions zero;
  zero.temperature = 0;
  Sampler greedy = *Sampler::create(zero);
  EXPECT_EQ(*greedy.pick(kRising, {}), 3U);
  const auto with_range = [](SamplerOptions& o) { o.dynamic_temperature = {.range = 0}; };
  expect_probabilities(kRising, with_range, {0.1, 0.2, 0.3, 0.4});
}

TEST(LlamaValues, TopK) {
  const auto top_k = [](uint32_t k) { return [=](SamplerOptions& o) { o.top_k = k; }; };
  expect_probabilities(kRising, top_k(1), {0, 0, 0, 1});
  expect_probabilities(kRising, top_k(3), {0, 0.22222, 0.33333, 0.44444});
  expect_probabilities(kRising, top_k(4), {0.1, 0.2, 0.3, 0.4});
  expect_probabilities(kRising, top_k(0), {0.1, 0.2, 0.3, 0.4});
}

TEST(LlamaValues, TopP) {
  const auto top_p = [](double p) { return [=](SamplerOptions& o) { o.top_p = p; }; };
  expect_probabilities(kRising, top_p(0), {0, 0, 0, 1});
  expect_probabilities(kRising, top_p(0.7), {0, 0, 0.428571, 0.571429});
  expect_probabilities(kRising, top_p(0.8), {0, 0.22222, 0.33333, 0.44444});
  expect_probabilities(kRising, top_p(1), {0.1, 0.2, 0.3, 0.4});
}

TEST(LlamaValues, MinP) {
  const auto min_p = [](double p) { return [=](SamplerOptions& o) { o.min_p = p; }; };
  for (const double p : {0.0, 0.24}) expect_probabilities(kRising, min_p(p), {0.1, 0.2, 0.3, 0.4});
  for (const double p : {0.26, 0.49}) {
    expect_probabilities(kRising, min_p(p), {0, 0.2 / 0.9, 0.3 / 0.9, 0.4 / 0.9});
  }
  for (const double p : {0.51, 0.74}) {
    expect_probabilities(kRising, min_p(p), {0, 0, 0.3 / 0.7, 0.4 / 0.7});
  }
  for (const double p : {0.76, 1.0}) expect_probabilities(kRising, min_p(p), {0, 0, 0, 1});
}

TEST(LlamaValues, Xtc) {
  const auto xtc = [](double threshold) {
    return [=](SamplerOptions& o) { o.xtc = {.probability = 0.99, .threshold = threshold}; };
  };
  expect_probabilities(kFalling, xtc(0.09), {0, 0, 0, 1});
  expect_probabilities(kFalling, xtc(0.19), {0, 0, 0.2 / 0.3, 0.1 / 0.3});
  expect_probabilities(kFalling, xtc(0.29), {0, 0.5, 0.2 / 0.6, 0.1 / 0.6});
  expect_probabilities(kFalling, xtc(0.39), {0.4, 0.3, 0.2, 0.1});
}

TEST(LlamaValues, Typical) {
  const auto half = [](SamplerOptions& o) { o.typical_p = 0.5; };
  expect_probabilities({0.97F, 0.01F, 0.01F, 0.01F}, half, {1, 0, 0, 0});
  expect_probabilities({0.4F, 0.2F, 0.2F, 0.2F}, half, {0, 1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(LlamaValues, Penalties) {
  const Probabilities even(5, 0.2F);
  const auto repetition = [](SamplerOptions& o) { o.penalties = {.repetition = 50}; };
  expect_probabilities(even, repetition, {0, 0.25, 0.25, 0.25, 0.25}, {0});
  expect_probabilities(even, repetition, {0, 0, 0, 0.5, 0.5}, {0, 1, 2});
  expect_probabilities(even, repetition, {0, 0, 0, 0.5, 0.5}, {0, 1, 2, 0, 0});
  const auto others = [](SamplerOptions& o) { o.penalties = {.frequency = 5, .presence = 5}; };
  expect_probabilities(even, others, {0.000011, 0.249997, 0.249997, 0.249997, 0.249997}, {0});
  expect_probabilities(even, others, {0.000023, 0.000023, 0.000023, 0.499966, 0.499966}, {0, 1, 2});
  expect_probabilities(even, others, {0, 0.000023, 0.000023, 0.499977, 0.499977}, {0, 1, 2, 0, 0});
}

TEST(LlamaValues, Dry) {
  const Probabilities four(4, 0.25F);
  const Probabilities five(5, 0.2F);
  const auto dry = [](double multiplier, uint64_t allowed, int64_t last_n,
                      const Tokens& breaker = {}) {
    return [=](SamplerOptions& o) {
      o.dry.multiplier = multiplier;
      o.dry.base = 1.1;
      o.dry.allowed_length = allowed;
      o.dry.last_n = last_n;
      if (!breaker.empty()) o.dry.breakers = {breaker};
    };
  };
  expect_probabilities(four, dry(1, 2, 4), {0.25, 0.25, 0.25, 0.25}, {0, 1});
  expect_probabilities(four, dry(1, 2, 5), {0.296923, 0.296923, 0.109232, 0.296923},
                       {0, 1, 2, 0, 1});
  expect_probabilities(five, dry(1, 2, 6, {3}), {0.2, 0.2, 0.2, 0.2, 0.2}, {0, 1, 3, 4, 0, 1});
  expect_probabilities(five, dry(2, 2, 5), {0.241818, 0.241818, 0.032727, 0.241818, 0.241818},
                       {0, 1, 2, 0, 1});
  expect_probabilities(five, dry(1, 4, 7), {0.2, 0.2, 0.2, 0.2, 0.2}, {0, 1, 2, 3, 4, 0, 1});
}

TEST(LlamaValues, TopNSigma) {
  const auto sigma = [](double n) { return [=](SamplerOptions& o) { o.top_n_sigma = n; }; };
  expect_probabilities(kRising, sigma(1), {0, 0, 0.428571, 0.571429});
  expect_probabilities(kRising, sigma(0), {0.1, 0.2, 0.3, 0.4});
  expect_probabilities(kRising, sigma(3), {0.1, 0.2, 0.3, 0.4});
}

struct Chain {
  uint32_t top_k;
  double top_p;
  double min_p;
};

// The lowest of the ids that stay. The probability of an id from 1 to 9999 is proportional to it.
uint32_t lowest_kept(const Chain& chain) {
  constexpr uint32_t kTop = 9999;
  uint32_t lowest = chain.top_k == 0 ? 1 : std::max(kTop + 1 - chain.top_k, 1U);
  const auto sum_from = [&](uint32_t id) { return (kTop + id) * (kTop + 1 - id) / 2; };
  const double enough = chain.top_p * sum_from(lowest);
  uint32_t by_share = kTop;
  while (by_share > lowest && sum_from(by_share) < enough) --by_share;
  if (chain.top_p < 1) lowest = by_share;
  while (lowest < chain.min_p * kTop) ++lowest;
  return lowest;
}

// test_sampler_queue, for the chains in our order.
TEST(LlamaValues, Chains) {
  std::vector<float> logits(10'000);
  for (size_t id = 1; id < logits.size(); ++id) logits[id] = std::log(static_cast<float>(id));
  logits[0] = -INFINITY;
  const double nearly_all = 9997.9 / 9999;
  for (const Chain& chain : {Chain{10'000, 1, 0},
                             {1, 1, 0},
                             {0, 0, 0},
                             {0, 1, 1},
                             {0, 1, 1e-12},
                             {100, 1, 0},
                             {0, 0.0003, 0},
                             {0, 0.8, 0},
                             {0, 1, nearly_all},
                             {0, 1, 0.1},
                             {100, 0.8, 0},
                             {100, 1, 0.1},
                             {0, 0.8, 0.1},
                             {100, 0.8, 0.1},
                             {0, 0.8, nearly_all}}) {
    SamplerOptions options;
    options.top_k = chain.top_k;
    options.top_p = chain.top_p;
    options.min_p = chain.min_p;
    Sampler sampler = *Sampler::create(options);
    ASSERT_TRUE(sampler.pick(logits, {}));
    const uint32_t lowest = lowest_kept(chain);
    EXPECT_EQ(sampler.candidates().size(), 10'000 - lowest)
        << chain.top_k << " " << chain.top_p << " " << chain.min_p;
    for (const Candidate& candidate : sampler.candidates()) EXPECT_GE(candidate.id, lowest);
  }
}

}  // namespace
}  // namespace ambry::infer
