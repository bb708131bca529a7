// Compares every architecture and scaling with an independent float64 reference
// (tests/reference/models/decoder_reference.py and decoder_architectures.py).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

double largest_difference(std::span<const float> logits, const std::vector<double>& expected) {
  EXPECT_EQ(logits.size(), expected.size());
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(logits[i]) - expected[i]));
  }
  return largest;
}

// Compares the logits of the last positions.
void expect_logits(const ForwardPass& pass, const std::vector<std::vector<double>>& expected,
                   double tolerance) {
  const size_t first = pass.n_logits() - expected.size();
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LE(largest_difference(pass.logits(first + i), expected[i]), tolerance)
        << "position " << first + i;
  }
}

// Allows sequences longer than the model was made for.
DecoderOptions options_for(const SyntheticDecoder& made, KvType kv = KvType::F32) {
  return {kv, std::max<uint64_t>(made.ids.size(), made.config().max_seq_len), 0};
}

class DecoderGolden : public ::testing::TestWithParam<const char*> {
 protected:
  SyntheticDecoder made_ = SyntheticDecoder::read(GetParam());

  [[nodiscard]] bool rotation_depends_on_length() const {
    const auto kind = made_.config().rope_scaling.kind;
    return kind == model::RopeScaling::Kind::Dynamic || kind == model::RopeScaling::Kind::LongRope;
  }
};

TEST_P(DecoderGolden, EqualsTheReference) {
  Decoder decoder = made_.build(options_for(made_));
  DecoderRun run(decoder);
  const auto fed = run.feed(made_.ids, Logits::Each);
  ASSERT_TRUE(fed) << describe(fed.error());
  expect_logits(run.pass(), made_.logits, 1e-4);
}

TEST_P(DecoderGolden, TokensOneByOneGiveTheSameBits) {
  if (rotation_depends_on_length()) GTEST_SKIP() << "positions depend on the length of the pass";
  Decoder decoder = made_.build(options_for(made_));
  DecoderRun whole(decoder);
  ASSERT_TRUE(whole.feed(made_.ids, Logits::Each));
  DecoderRun single(decoder);
  for (size_t i = 0; i < made_.ids.size(); ++i) {
    ASSERT_TRUE(single.feed({&made_.ids[i], 1}));
    const auto expected = whole.logits(i);
    EXPECT_TRUE(std::ranges::equal(single.logits(), expected)) << "position " << i;
  }
}

TEST_P(DecoderGolden, F16KvCacheStaysClose) {
  Decoder decoder = made_.build(options_for(made_, KvType::F16));
  DecoderRun run(decoder);
  ASSERT_TRUE(run.feed(made_.ids, Logits::Each));
  expect_logits(run.pass(), made_.logits, 2e-2);
}

double cosine_with(std::span<const float> logits, const std::vector<double>& expected) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    ab += double{logits[i]} * expected[i];
    aa += double{logits[i]} * double{logits[i]};
    bb += expected[i] * expected[i];
  }
  return ab / std::sqrt(aa * bb);
}

// The bounds that the README states.
TEST_P(DecoderGolden, Int8KvCacheStaysClose) {
  Decoder decoder = made_.build(options_for(made_, KvType::Int8));
  DecoderRun run(decoder);
  ASSERT_TRUE(run.feed(made_.ids, Logits::Each));
  const size_t first = run.pass().n_logits() - made_.logits.size();
  double sum = 0;
  for (size_t i = 0; i < made_.logits.size(); ++i) {
    const double alike = cosine_with(run.logits(first + i), made_.logits[i]);
    EXPECT_GE(alike, 0.999) << "position " << first + i;
    sum += alike;
  }
  EXPECT_GE(sum / static_cast<double>(made_.logits.size()), 0.9995);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, DecoderGolden,
    ::testing::Values("llama", "llama_interleaved_biased", "llama_linear", "llama_dynamic",
                      "llama_yarn", "llama_llama3", "mistral_window", "mistral_ring", "gemma",
                      "phi2", "phi3_short", "phi3_long", "gpt2", "falcon_40b", "falcon_7b",
                      "falcon_rw", "mpt", "mpt_learned_gqa", "qwen2", "qwen2_windows", "qwen3",
                      "gemma2", "gemma3", "smollm3", "olmo2", "granite", "stablelm",
                      "stablelm_parallel", "gpt_neox", "gpt_neox_sequential", "gptj", "starcoder2",
                      "phi4_mini", "minicpm", "granite_nope", "arcee", "helium", "ernie4_5",
                      "ernie4_5_biased", "hunyuan", "exaone4", "exaone4_windows", "olmo3",
                      "ministral3", "apertus", "lfm2", "lfm2_biased", "qwen3_5", "qwen3_5_wide",
                      "mixtral", "granitemoe", "olmoe", "olmoe_grouped", "qwen3_moe", "lfm2_moe",
                      "gemma3n", "gemma4", "gemma4_dense"),
    [](const auto& named) { return std::string(named.param); });

// tests/reference/models/shared_experts.py
INSTANTIATE_TEST_SUITE_P(SharedExperts, DecoderGolden,
                         ::testing::Values("qwen2_moe", "qwen3_5_moe", "granite_hybrid_moe",
                                           "gemma4_moe"),
                         [](const auto& named) { return std::string(named.param); });

// tests/reference/models/state_space_architectures.py
INSTANTIATE_TEST_SUITE_P(StateSpaces, DecoderGolden,
                         ::testing::Values("granite_hybrid", "granite_hybrid_rope", "falcon_h1",
                                           "falcon_h1_scaled", "falcon_h1_biased", "nemotron_h"),
                         [](const auto& named) { return std::string(named.param); });

class QuantizedGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(QuantizedGolden, EqualsTheReferenceWithDequantizedWeights) {
  const std::string name = std::string(GetParam()) + "_quantized";
  for (const auto& [dtype, expected] : SyntheticDecoder::read(name).last_logits) {
    SCOPED_TRACE(dtype);
    const SyntheticDecoder made = SyntheticDecoder::read(name, dtype);
    const std::span<const uint32_t> ids(made.ids);
    for (const auto products :
         {kernels::ActivationPrecision::F32, kernels::ActivationPrecision::Int8}) {
      Decoder decoder = made.build({KvType::F32, 0, 0, products});
      DecoderRun run(decoder);
      const double tolerance = products == kernels::ActivationPrecision::F32 ? 1e-4 : 2e-3;
      ASSERT_EQ(expected.size(), 2U);
      ASSERT_TRUE(run.feed(ids.first(ids.size() - 1)));
      EXPECT_LE(largest_difference(run.logits(), expected[0]), tolerance);
      ASSERT_TRUE(run.feed(ids.last(1)));
      EXPECT_LE(largest_difference(run.logits(), expected[1]), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, QuantizedGolden,
                         ::testing::Values("llama", "gpt2", "wide", "gpt2_wide"),
                         [](const auto& named) { return std::string(named.param); });

}  // namespace
}  // namespace ambry::infer
