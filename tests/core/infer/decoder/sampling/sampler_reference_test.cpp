// The ids that tests/reference/models/sampler_reference.py draws from the definitions, in float64.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "infer/decoder/sampling/sampler.h"

namespace ambry::infer {
namespace {

using Ids = std::vector<uint32_t>;

struct ReferenceCase {
  std::string name;
  std::function<void(SamplerOptions&)> set;
  Ids ids;
};

// Draws `count` tokens. The drawn ones are the tokens so far.
Ids drawn(const SamplerOptions& options, size_t count) {
  std::vector<float> logits(1000);
  for (size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>(static_cast<int>(i * 7919 % 1000) - 500) / 64;
  }
  Sampler sampler = *Sampler::create(options);
  Ids ids;
  while (ids.size() < count) ids.push_back(*sampler.pick(logits, ids));
  return ids;
}

std::vector<ReferenceCase> reference_cases() {
  return {
      {"top-p",
       [](SamplerOptions& o) {
         o.temperature = 0.9;
         o.top_p = 0.95;
       },
       {704, 284, 852, 976, 988, 889, 64, 124, 408, 173}},
      {"temperature",
       [](SamplerOptions& o) { o.temperature = 0.9; },
       {704, 284, 852, 976, 988, 889, 64, 124, 408, 173}},
      {"top-k",
       [](SamplerOptions& o) {
         o.temperature = 0.9;
         o.top_k = 40;
       },
       {25, 889, 272, 519, 840, 914, 642, 284, 494, 605}},
      {"another seed",
       [](SamplerOptions& o) {
         o.temperature = 0.9;
         o.top_k = 40;
         o.seed = 8;
       },
       {951, 741, 741, 877, 173, 247, 136, 741, 556, 272}},
      {"typical",
       [](SamplerOptions& o) {
         o.temperature = 1.1;
         o.typical_p = 0.7;
       },
       {692, 260, 828, 976, 988, 852, 62, 99, 396, 149}},
      {"min-p, top-n-sigma",
       [](SamplerOptions& o) {
         o.temperature = 2;
         o.min_p = 0.3;
         o.top_n_sigma = 2.5;
         o.min_keep = 90;
       },
       {976, 420, 791, 248, 569, 75, 284, 247, 630, 531}},
      {"XTC",
       [](SamplerOptions& o) {
         o.temperature = 1;
         o.xtc = {.probability = 0.5, .threshold = 0.005};
       },
       {284, 976, 879, 88, 137, 741, 889, 557, 446, 125}},
      {"penalties",
       [](SamplerOptions& o) {
         o.temperature = 0.02;
         o.penalties = {.repetition = 1.1, .frequency = 0.05, .presence = 0.1, .last_n = 3};
       },
       {642, 321, 963, 926, 642, 321, 284, 605, 642, 321}},
      {"DRY",
       [](SamplerOptions& o) {
         o.temperature = 0.01;
         o.dry.multiplier = 0.5;
         o.dry.base = 1.5;
         o.dry.allowed_length = 1;
       },
       {321, 321, 963, 963, 642, 642, 321, 642, 963, 321}},
      {"DRY with a breaker",
       [](SamplerOptions& o) {
         o.temperature = 0.01;
         o.dry.multiplier = 0.5;
         o.dry.base = 1.5;
         o.dry.allowed_length = 1;
         o.dry.breakers = {{321}};
       },
       {321, 321, 642, 963, 963, 642, 321, 321, 321, 321}},
      {"dynamic temperature",
       [](SamplerOptions& o) {
         o.temperature = 1;
         o.top_p = 0.9;
         o.dynamic_temperature = {.range = 0.8, .exponent = 2};
       },
       {704, 284, 852, 976, 988, 878, 63, 124, 408, 173}},
      {"mirostat 1",
       [](SamplerOptions& o) {
         o.temperature = 1;
         o.mirostat = {.version = 1, .tau = 4, .eta = 0.3};
       },
       {321, 321, 852, 877, 321, 879, 321, 963, 963, 531}},
      {"mirostat 2",
       [](SamplerOptions& o) {
         o.temperature = 1;
         o.mirostat = {.version = 2, .tau = 4, .eta = 0.3};
       },
       {704, 284, 877, 963, 963, 889, 173, 210, 494, 247}},
      {"logit bias",
       [](SamplerOptions& o) {
         o.temperature = 0.7;
         o.logit_bias = {{321, -INFINITY}, {5, 12}};
       },
       {5, 5, 5, 5, 286, 5, 5, 5, 5, 5}},
  };
}

TEST(SamplerReference, DrawsTheSame) {
  for (const auto& [name, set, ids] : reference_cases()) {
    SamplerOptions options;
    options.seed = 7;
    set(options);
    EXPECT_EQ(drawn(options, ids.size()), ids) << name;
  }
}

}  // namespace
}  // namespace ambry::infer
