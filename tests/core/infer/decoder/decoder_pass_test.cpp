#include "infer/decoder/decoder_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

constexpr const char* kThreeLayers = R"({"architecture": "llama", "n_vocab": 23, "n_embd": 12,
    "n_layers": 3, "n_heads": 3, "n_kv_heads": 1, "n_ff": 17, "max_seq_len": 200,
    "tie_word_embeddings": false})";

class ForwardPassTest : public ::testing::Test {
 protected:
  static std::vector<uint32_t> ids(size_t count) {
    std::vector<uint32_t> ids(count);
    for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(i * i + 5) % 23;
    return ids;
  }
  // The error when one value of `tensor` is replaced.
  static Error error_with(const char* tensor, float number) {
    SyntheticDecoder made = SyntheticDecoder::make(kThreeLayers);
    const size_t index = made.find(tensor);
    std::memcpy(made.bytes[index].data() + 4, &number, sizeof(number));
    Decoder decoder = made.build();
    const auto fed = DecoderRun(decoder).feed(ids(5));
    EXPECT_FALSE(fed);
    return fed ? Error() : fed.error();
  }

  SyntheticDecoder made_ = SyntheticDecoder::make(kThreeLayers);
  Decoder decoder_ = made_.build();
  DecoderRun run_{decoder_};
};

TEST_F(ForwardPassTest, RefusesIdsOutsideTheVocabulary) {
  const std::vector<uint32_t> bad = {1, 2, 23};
  const auto fed = run_.feed(bad);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, ErrorCode::BadValue);
  EXPECT_EQ(fed.error().path, "ids[2]");
  EXPECT_TRUE(run_.feed(ids(3)));
}

TEST_F(ForwardPassTest, RefusesNoTokens) { EXPECT_EQ(run_.feed({}).error().path, "ids"); }

TEST_F(ForwardPassTest, RefusesTokensPastTheContext) {
  const auto fed = run_.feed(ids(201));
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, ErrorCode::LimitExceeded);
  ASSERT_TRUE(run_.feed(ids(199)));
  EXPECT_FALSE(run_.feed(ids(2)));
  EXPECT_EQ(run_.state().position(), 199U);
  ASSERT_TRUE(run_.feed(ids(1)));
  EXPECT_FALSE(run_.feed(ids(1)));
  run_.state().reset();
  EXPECT_TRUE(run_.feed(ids(1)));
}

TEST_F(ForwardPassTest, ReportsTheFirstPartThatIsNotFinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::pair<const char*, const char*> cases[] = {
      {"layers.1.self_attn.v_proj.weight", "layers[1].attention"},
      {"layers.2.mlp.down_proj.weight", "layers[2].mlp"},
      {"layers.0.input_layernorm.weight", "layers[0].attention"},
      {"norm.weight", "output"},
      {"lm_head.weight", "output"}};
  for (const auto& [tensor, part] : cases) {
    const Error error = error_with(tensor, kNan);
    EXPECT_EQ(error.code, ErrorCode::BadValue);
    EXPECT_EQ(error.path, part);
  }
}

TEST_F(ForwardPassTest, ReportsThePositionThatIsNotFinite) {
  SyntheticDecoder made = SyntheticDecoder::make(kThreeLayers);
  const size_t embedding = made.find("embed_tokens.weight");
  const float huge = 3e38F;
  const uint32_t id = ids(5)[3];
  for (size_t i = 0; i < 12; ++i) {
    std::memcpy(made.bytes[embedding].data() + (size_t{12} * id + i) * 4, &huge, sizeof(huge));
  }
  made.model.config.append_member("embed_scale", 10);
  Decoder decoder = made.build();
  const auto fed = DecoderRun(decoder).feed(ids(5));
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().path, "embeddings");
  EXPECT_NE(fed.error().message.find("position 3 "), std::string::npos) << fed.error().message;
}

// Attention and feed-forward layer read the same input here.
TEST_F(ForwardPassTest, NamesThePartOfParallelLayers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  SyntheticDecoder made = SyntheticDecoder::read("phi2");
  const size_t value = made.find("model.layers.1.self_attn.v_proj.weight");
  std::memcpy(made.bytes[value].data(), &kInfinity, sizeof(kInfinity));
  Decoder decoder = made.build();
  EXPECT_EQ(DecoderRun(decoder).feed(made.ids).error().path, "layers[1].attention");
}

TEST_F(ForwardPassTest, AnAbandonedPassMustBeReset) {
  ASSERT_TRUE(run_.feed(ids(4)));
  ASSERT_TRUE(run_.pass().begin(decoder_, run_.state(), ids(70), Logits::Last));
  ASSERT_TRUE(run_.pass().step());
  const auto again = run_.feed(ids(2));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().path, "state");
  run_.state().reset();
  ASSERT_TRUE(run_.feed(ids(4)));
  DecoderRun fresh(decoder_);
  ASSERT_TRUE(fresh.feed(ids(4)));
  EXPECT_TRUE(std::ranges::equal(run_.logits(), fresh.logits()));
}

TEST_F(ForwardPassTest, BlocksGiveTheSameBits) {
  const auto all = ids(150);
  ASSERT_TRUE(run_.feed(all, Logits::Each));
  DecoderRun pieces(decoder_);
  for (const auto& [first, count] :
       {std::pair<size_t, size_t>{0, 1}, {1, 66}, {67, 64}, {131, 19}}) {
    ASSERT_TRUE(pieces.feed(std::span(all).subspan(first, count), Logits::Each));
    ASSERT_EQ(pieces.pass().n_logits(), count);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(std::ranges::equal(pieces.logits(i), run_.logits(first + i))) << first + i;
    }
  }
  DecoderRun last(decoder_);
  ASSERT_TRUE(last.feed(all));
  EXPECT_EQ(last.pass().n_logits(), 1U);
  EXPECT_TRUE(std::ranges::equal(last.logits(), run_.logits(149)));
}

TEST_F(ForwardPassTest, CountsItsSteps) {
  for (const auto& [count, wanted] : {std::pair<size_t, Logits>{1, Logits::Last},
                                      {64, Logits::Each},
                                      {130, Logits::Last},
                                      {130, Logits::Each}}) {
    run_.state().reset();
    ForwardPass& pass = run_.pass();
    ASSERT_TRUE(pass.begin(decoder_, run_.state(), ids(count), wanted));
    size_t steps = 0;
    for (PassStep step; step.kind != PassStep::Kind::Done; ++steps) {
      EXPECT_EQ(pass.steps_done(), steps);
      step = *pass.step();
    }
    EXPECT_EQ(steps, pass.n_steps());
    EXPECT_EQ(pass.steps_done(), steps);
  }
}

// Memory is for the tokens, not for the context.
TEST_F(ForwardPassTest, MemoryGrowsWithTheTokens) {
  EXPECT_EQ(run_.state().bytes(), 0U);
  ASSERT_TRUE(run_.feed(ids(10)));
  const uint64_t few = run_.state().bytes_of(10);
  EXPECT_EQ(few, sizeof(float) * 3 * 2 * 64 * 4);
  EXPECT_LT(run_.state().bytes() - few, 1000U);
  EXPECT_EQ(run_.state().bytes_of(200), sizeof(float) * 3 * 2 * 256 * 4);
}

// The first 16 positions use the short factors. Past them all tokens use the long ones, earlier
// ones, too.
TEST(LongRope, RotatesAllTokensAgainPastTheOriginalLength) {
  const SyntheticDecoder made = SyntheticDecoder::read("phi3_long");
  Decoder decoder = made.build();
  DecoderRun run(decoder);
  for (const uint32_t id : made.ids) ASSERT_TRUE(run.feed({&id, 1}));
  EXPECT_EQ(run.state().position(), made.ids.size());
  const auto& expected = made.logits.back();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(run.logits()[i], expected[i], 1e-4);
}

}  // namespace
}  // namespace ambry::infer
