#include "infer/encoder/head/sparse_head_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "infer/encoder/synthetic_bert.h"
#include "model/encoder/token_head.h"

namespace ambry::infer::sparse_heads {
namespace {

using model::HeadConfig;
using model::HeadTask;

constexpr uint32_t kHidden = 20;
// Two parts of the vocabulary and some words more, which fill no panel.
constexpr uint32_t kVocab = 1029;
constexpr size_t kTokens = 7;

HeadConfig sparse_head() {
  HeadConfig head;
  head.task = HeadTask::Sparse;
  head.activation = model::DenseActivation::Gelu;
  head.dense_size = kHidden;
  head.dense_bias = true;
  head.norm = true;
  head.norm_bias = true;
  head.tied = true;
  head.classifier_bias = true;
  return head;
}

SyntheticBert bert_with(const HeadConfig& head, SyntheticStorage storage = SyntheticStorage::F32) {
  model::EncoderConfig config;
  config.vocab_size = kVocab;
  config.hidden_size = kHidden;
  config.num_layers = 1;
  config.num_heads = 2;
  config.intermediate_size = 16;
  config.max_positions = 4;
  config.head = head;
  return SyntheticBert(config, storage);
}

// The weights of all words by the definition, from the numbers that each token has for each word.
std::vector<double> expected_weights(std::span<const float> logits, size_t n_words,
                                     const model::SparseSettings& settings) {
  std::vector<double> weights(n_words);
  for (size_t at = 0; at < logits.size(); ++at) {
    double x = std::max(0.0, double{logits[at]});
    for (uint32_t i = 0; i < settings.logarithms; ++i) x = std::log1p(x);
    double& weight = weights[at % n_words];
    weight = settings.sum ? weight + x : std::max(weight, x);
  }
  return weights;
}

void expect_like_the_definition(const HeadConfig& head,
                                SyntheticStorage storage = SyntheticStorage::F32) {
  const SyntheticBert bert = bert_with(head, storage);
  const auto encoder = bert.build();
  ASSERT_TRUE(encoder) << describe(encoder.error());
  const std::vector<float> hidden = hashed_uniform("hidden", kTokens * kHidden);
  const auto logits = encoder->token_logits(hidden);
  ASSERT_TRUE(logits);
  const auto made = encoder->sparse_weights(hidden);
  ASSERT_TRUE(made);
  const std::span<const float> weights = made->as<float>();
  const std::vector<double> expected = expected_weights(logits->as<float>(), kVocab, head.sparse);
  ASSERT_EQ(weights.size(), expected.size());
  size_t n_positive = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(weights[i], expected[i], 2e-5) << i;
    if (weights[i] > 0) ++n_positive;
  }
  EXPECT_GT(n_positive, 0U);
}

TEST(SparseHead, PoolsTheWordsOfAllTokens) {
  for (const bool sum : {false, true}) {
    for (const uint32_t logarithms : {0U, 1U, 2U}) {
      for (const bool tied : {true, false}) {
        HeadConfig head = sparse_head();
        head.tied = tied;
        head.classifier_bias = logarithms != 1;
        head.sparse.sum = sum;
        head.sparse.logarithms = logarithms;
        expect_like_the_definition(head);
        expect_like_the_definition(head, SyntheticStorage::Int8);
      }
    }
  }
}

TEST(SparseHead, MayWeighEachTokenAlone) {
  HeadConfig head;
  head.task = HeadTask::Sparse;
  head.classifier_bias = true;
  head.sparse.own_words = true;
  head.sparse.logarithms = 0;
  const SyntheticBert bert = bert_with(head);
  const auto encoder = bert.build();
  ASSERT_TRUE(encoder) << describe(encoder.error());
  const std::vector<float> hidden = hashed_uniform("hidden", kTokens * kHidden);
  const auto logits = encoder->token_logits(hidden);
  const auto made = encoder->sparse_weights(hidden);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->as<float>().size(), kTokens);
  for (size_t i = 0; i < kTokens; ++i) {
    EXPECT_NEAR(made->as<float>()[i], std::max(0.0F, logits->as<float>()[i]), 1e-5);
  }
}

TEST(SparseHead, KeepsWhatIsNotFinite) {
  for (const bool sum : {false, true}) {
    HeadConfig head = sparse_head();
    head.sparse.sum = sum;
    const SyntheticBert bert = bert_with(head);
    const auto encoder = bert.build();
    std::vector<float> hidden = hashed_uniform("hidden", kTokens * kHidden);
    // The last token, so that no other one hides it.
    hidden.back() = std::numeric_limits<float>::quiet_NaN();
    const auto made = encoder->sparse_weights(hidden);
    ASSERT_TRUE(made);
    EXPECT_FALSE(std::isfinite(made->as<float>()[0]));
  }
}

TEST(SparseHead, HasFixedWeightsForQueries) {
  HeadConfig head = sparse_head();
  head.sparse.n_query_weights = 9;
  const SyntheticBert bert = bert_with(head);
  const auto encoder = bert.build();
  ASSERT_TRUE(encoder) << describe(encoder.error());
  const std::span<const float> weights = encoder->query_weights();
  const std::vector<float> expected =
      bert.floats(*bert.model.find(std::string(model::kQueryWeights)));
  EXPECT_EQ(std::vector(weights.begin(), weights.end()), expected);
  EXPECT_GT(encoder->weight_bytes(), bert_with(sparse_head()).build()->weight_bytes());
}

TEST(SparseHead, GivesNothingForNoTokens) {
  const SyntheticBert bert = bert_with(sparse_head());
  const auto made = bert.build()->sparse_weights({});
  ASSERT_TRUE(made);
  for (const float weight : made->as<float>()) EXPECT_EQ(weight, 0);
}

}  // namespace
}  // namespace ambry::infer::sparse_heads
