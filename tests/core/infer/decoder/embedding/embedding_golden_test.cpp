// Compares embeddings with an independent float64 reference
// (tests/reference/models/decoder_embeddings.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "infer/decoder/embedding/dense_chain.h"
#include "infer/decoder/synthetic_decoder.h"
#include "infer/encoder/head/pooling.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;
using Vector = std::vector<float>;

SyntheticDecoder embedding_case(const std::string& name) {
  return SyntheticDecoder::read(name, "f32", "embeddings");
}

// The hidden states that were asked for.
Vector hidden_states(Decoder& decoder, std::span<const uint32_t> ids, Logits wanted,
                     const testing::TensorBytes& bytes = {}) {
  DecoderRun run(decoder, bytes);
  const auto fed = run.feed(ids, wanted);
  EXPECT_TRUE(fed) << describe(fed.error());
  const auto rows = run.pass().hidden();
  return {rows.begin(), rows.end()};
}

Vector embedded(Decoder& decoder, std::span<const uint32_t> ids) {
  const model::EmbeddingConfig& how = *decoder.config().embedding;
  const Vector hidden = hidden_states(decoder, ids, Logits::HiddenOfEach);
  Vector vector(decoder.config().n_embd);
  pool(*pooling_by_name(how.pooling), hidden, 0, vector);
  apply_dense_layers(decoder, vector);
  normalize(vector);
  return vector;
}

double largest_difference_of(const Vector& vector, const std::vector<double>& expected) {
  EXPECT_EQ(vector.size(), expected.size());
  double largest = 0;
  for (size_t i = 0; i < std::min(vector.size(), expected.size()); ++i) {
    largest = std::max(largest, std::fabs(double{vector[i]} - expected[i]));
  }
  return largest;
}

double cosine_of(const Vector& vector, const std::vector<double>& expected) {
  double sum = 0;
  for (size_t i = 0; i < vector.size(); ++i) sum += double{vector[i]} * expected[i];
  return sum;
}

class EmbeddingGolden : public ::testing::TestWithParam<const char*> {
 protected:
  SyntheticDecoder made_ = embedding_case(GetParam());
};

TEST_P(EmbeddingGolden, EqualsTheReference) {
  Decoder decoder = made_.build();
  for (size_t i = 0; i < made_.texts.size(); ++i) {
    EXPECT_LE(largest_difference_of(embedded(decoder, made_.texts[i]), made_.vectors[i]), 1e-5)
        << made_.texts[i].size() << " tokens";
  }
}

TEST_P(EmbeddingGolden, CompressedKeysAndValuesStayClose) {
  for (const KvType kv : {KvType::F16, KvType::Int8}) {
    Decoder decoder = made_.build({kv, 0, 0});
    for (size_t i = 0; i < made_.texts.size(); ++i) {
      EXPECT_GE(cosine_of(embedded(decoder, made_.texts[i]), made_.vectors[i]), 0.999);
    }
  }
}

TEST_P(EmbeddingGolden, TheLastStateIsThatOfEach) {
  Decoder decoder = made_.build();
  const size_t width = decoder.config().n_embd;
  for (const auto& ids : made_.texts) {
    const Vector each = hidden_states(decoder, ids, Logits::HiddenOfEach);
    ASSERT_EQ(each.size(), ids.size() * width);
    const Vector last = hidden_states(decoder, ids, Logits::HiddenOfLast);
    EXPECT_TRUE(std::ranges::equal(last, std::span(each).last(width)));
  }
}

TEST_P(EmbeddingGolden, StreamedWeightsGiveTheSameBits) {
  Decoder whole = made_.build();
  uint64_t least = 0;
  for (uint64_t resident = 20'000; least == 0; resident += 2'000) {
    if (made_.try_build({KvType::F32, 0, resident})) least = resident;
  }
  ASSERT_LT(least, whole.weight_bytes());
  Decoder streamed = made_.build({KvType::F32, 0, least});
  ASSERT_TRUE(streamed.is_streamed());
  for (const auto& ids : made_.texts) {
    EXPECT_EQ(hidden_states(streamed, ids, Logits::HiddenOfEach, made_.tensor_bytes()),
              hidden_states(whole, ids, Logits::HiddenOfEach));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EmbeddingGolden,
                         ::testing::Values("qwen3_last", "mistral_last", "gemma3_mean",
                                           "gemma3_even", "qwen2_both_ways", "gemma2_last"),
                         [](const auto& named) { return std::string(named.param); });

TEST(BidirectionalDecoder, RefusesToGenerate) {
  const SyntheticDecoder made = embedding_case("gemma3_mean");
  Decoder decoder = made.build();
  DecoderRun run(decoder);
  const auto fed = run.feed(made.texts[1]);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, ErrorCode::Unsupported);
  EXPECT_NE(fed.error().message.find("makes embeddings and cannot generate text"),
            std::string::npos)
      << fed.error().message;
}

TEST(BidirectionalDecoder, SeesLaterTokens) {
  const SyntheticDecoder made = embedding_case("gemma3_even");
  Decoder decoder = made.build();
  auto ids = made.texts[0];
  const Vector before = hidden_states(decoder, ids, Logits::HiddenOfEach);
  ids.back() = (ids.back() + 1) % decoder.n_vocab();
  const Vector after = hidden_states(decoder, ids, Logits::HiddenOfEach);
  const size_t width = decoder.config().n_embd;
  EXPECT_FALSE(std::ranges::equal(std::span(before).first(width), std::span(after).first(width)));
}

TEST(EmbeddingDecoder, NeedsNoOutputMatrixButThenMakesNoText) {
  const char* config = R"({"architecture": "llama", "n_vocab": 11, "n_embd": 8, "n_layers": 1,
    "n_heads": 2, "n_ff": 8, "max_seq_len": 16, "tie_word_embeddings": false,
    "embedding": {"pooling": "lasttoken"}})";
  const SyntheticDecoder made = SyntheticDecoder::make(config);
  Decoder decoder = made.build();
  EXPECT_FALSE(decoder.makes_logits());
  const std::vector<uint32_t> ids = {1, 2, 3};
  EXPECT_EQ(embedded(decoder, ids).size(), 8U);
  DecoderRun run(decoder);
  const auto fed = run.feed(ids);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().code, ErrorCode::Unsupported);
}

TEST(EmbeddingDecoder, RefusesADenseLayerOfTheWrongWidth) {
  SyntheticDecoder made = embedding_case("gemma3_mean");
  made.model.tensors[made.find("dense.1.weight")].shape = {29, 52};
  const auto built = made.try_build();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::Mismatch);
  EXPECT_NE(built.error().message.find("[29, 53]"), std::string::npos) << built.error().message;
}

}  // namespace
}  // namespace ambry::infer
