// Experts that are read when a token takes them: equal results, few bytes, and room for others.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

constexpr const char* kSparse = R"({"architecture": "qwen3_moe", "n_vocab": 29, "n_embd": 24,
    "n_layers": 4, "n_heads": 4, "n_kv_heads": 2, "head_dim": 6, "n_ff": 40, "n_ff_expert": 20,
    "n_experts": 16, "n_experts_used": 2, "norm_topk_prob": true, "max_seq_len": 300})";
// One expert in the file, and in memory, where rows are whole panels of eight.
constexpr uint64_t kStoredBytes = uint64_t{3} * 20 * 24 * sizeof(float);
constexpr uint64_t kExpertBytes = uint64_t{24} * (24 + 24 + 20) * sizeof(float);

std::vector<uint32_t> ids_of(size_t count) {
  std::vector<uint32_t> ids(count);
  for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(i * i + 5 * i + 2) % 29;
  return ids;
}

// The smallest budget that works, as the error states it.
uint64_t least_of(const SyntheticDecoder& made) {
  const auto refused = made.try_build({KvType::F32, 0, 1});
  EXPECT_FALSE(refused);
  const std::string& message = refused.error().message;
  return std::stoull(message.substr(message.find("take ") + 5));
}

TEST(StreamedExperts, GiveTheSameBitsWithAnyBudget) {
  for (const char* dtype : {"f32", "int4_block"}) {
    SCOPED_TRACE(dtype);
    const SyntheticDecoder made = SyntheticDecoder::make(kSparse, dtype);
    Decoder whole = made.build();
    const uint64_t all = whole.weight_bytes();
    DecoderRun expected(whole);
    const auto tokens = *expected.greedy(ids_of(90), 20);
    for (const uint64_t budget : {least_of(made), all / 5, all / 2, all - 1}) {
      SCOPED_TRACE(budget);
      Decoder decoder = made.build({KvType::F32, 0, budget});
      EXPECT_TRUE(decoder.is_streamed());
      DecoderRun run(decoder, made.tensor_bytes());
      const auto found = run.greedy(ids_of(90), 20);
      ASSERT_TRUE(found) << describe(found.error());
      EXPECT_EQ(*found, tokens);
      EXPECT_TRUE(std::ranges::equal(run.logits(), expected.logits()));
      EXPECT_LE(run.most_bytes(), budget);
    }
  }
}

TEST(StreamedExperts, ReadEachNeededExpertOnceForAPrompt) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  const uint64_t all = made.build().weight_bytes();
  Decoder decoder = made.build({KvType::F32, 0, least_of(made)});
  DecoderRun run(decoder, made.tensor_bytes());
  ASSERT_TRUE(run.feed(ids_of(200), Logits::Each));
  EXPECT_LE(run.read_bytes(), all);
  const uint64_t before = run.read_bytes();
  const uint32_t id = 3;
  ASSERT_TRUE(run.feed({&id, 1}));
  // A token takes 8 of the 64 experts.
  EXPECT_LE(run.read_bytes() - before, all - 64 * kExpertBytes + 8 * kStoredBytes);
}

TEST(StreamedExperts, ThatFitAreNotReadAgain) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  const uint64_t all = made.build().weight_bytes();
  Decoder decoder = made.build({KvType::F32, 0, all - 30 * kExpertBytes});
  DecoderRun run(decoder, made.tensor_bytes());
  const uint32_t id = 7;
  ASSERT_TRUE(run.feed({&id, 1}));
  const uint64_t once = run.read_bytes();
  EXPECT_LE(once, 8 * kStoredBytes);
  // A token takes the same experts again.
  run.state().reset();
  ASSERT_TRUE(run.feed({&id, 1}));
  EXPECT_EQ(run.read_bytes(), once);
}

// Experts 0 and 2 are used before and after expert 1, so that one is dropped for another.
TEST(StreamedExperts, DropThoseThatWereNotUsedForLongest) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  const uint64_t all = made.build().weight_bytes();
  Decoder decoder = made.build({KvType::F32, 0, all - 61 * kExpertBytes});
  const model::DecoderConfig& config = decoder.config();
  const auto load = [&](uint32_t expert) {
    const size_t part = expert_part(config, 0, expert);
    decoder.make_room(part);
    for (const size_t tensor : decoder.missing_tensors(part)) {
      ASSERT_TRUE(decoder.put_tensor(tensor, made.tensor_bytes()(tensor)));
    }
    decoder.note_use(0, expert);
  };
  for (const uint32_t expert : {0U, 1U, 2U, 0U}) load(expert);
  load(9);
  const auto ready = [&](uint32_t expert) {
    return decoder.is_ready(expert_part(config, 0, expert));
  };
  EXPECT_TRUE(ready(0) && ready(2) && ready(9));
  EXPECT_FALSE(ready(1));
  for (size_t part = 0; part < first_expert_part(config); ++part) {
    EXPECT_TRUE(decoder.is_ready(part)) << part;
  }
}

TEST(StreamedExperts, EstimateTheBytesOfAPassByTheExpertsThatAreTaken) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  const uint64_t all = made.build().weight_bytes();
  const Decoder decoder = made.build({KvType::F32, 0, all - 32 * kExpertBytes});
  EXPECT_EQ(decoder.streamed_bytes(), 4 * kExpertBytes);
}

TEST(Experts, AddUpAlikeInAnyBlock) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse, "int4_block");
  Decoder decoder = made.build();
  const auto ids = ids_of(130);
  DecoderRun whole(decoder);
  ASSERT_TRUE(whole.feed(ids, Logits::Each));
  DecoderRun single(decoder);
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSERT_TRUE(single.feed({&ids[i], 1}));
    EXPECT_TRUE(std::ranges::equal(single.logits(), whole.logits(i))) << i;
  }
}

TEST(Experts, GiveEachItsOwnInputs) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  Decoder decoder = made.build();
  ActivationSums sums(decoder.config());
  DecoderRun run(decoder);
  run.pass().observe(sums);
  ASSERT_TRUE(run.feed(ids_of(3)));
  const auto means = sums.means();
  ASSERT_TRUE(means);
  const auto& layer = means->layers[1];
  ASSERT_EQ(layer.experts.size(), 16U);
  std::set<std::vector<float>> inputs;
  for (const auto& expert : layer.experts) {
    EXPECT_EQ(expert.mlp.size(), 24U);
    EXPECT_EQ(expert.mlp_hidden.size(), 20U);
    EXPECT_GT(*std::ranges::max_element(expert.mlp_hidden), 0);
    inputs.insert(expert.mlp);
  }
  // At least two experts saw something, and the others have the inputs of the whole layer.
  EXPECT_GE(inputs.size(), 3U);
  EXPECT_LE(inputs.size(), 7U);
  EXPECT_TRUE(std::ranges::equal(means->input_of(model::DecoderRole::ExpertDown, 1, 5),
                                 layer.experts[5].mlp_hidden));
}

TEST(Experts, NameTheLayerWhoseRouterIsNotFinite) {
  SyntheticDecoder made = SyntheticDecoder::make(kSparse);
  const size_t router = made.find("layers.2.mlp.gate.weight");
  made.set_floats(router, std::vector<float>(16 * 24, std::numeric_limits<float>::quiet_NaN()));
  Decoder decoder = made.build();
  DecoderRun run(decoder);
  const auto fed = run.feed(ids_of(3));
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().path, "layers[2].mlp");
}

}  // namespace
}  // namespace ambry::infer
