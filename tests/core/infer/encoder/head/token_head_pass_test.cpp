#include "infer/encoder/head/token_head_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "infer/encoder/synthetic_bert.h"
#include "model/encoder/token_head.h"

namespace ambry::infer::token_heads {
namespace {

using model::DenseActivation;
using model::HeadConfig;
using model::HeadTask;

constexpr uint32_t kHidden = 20;
constexpr uint32_t kVocab = 11;
constexpr size_t kTokens = 5;

model::EncoderConfig config_with(const HeadConfig& head) {
  model::EncoderConfig config;
  config.vocab_size = kVocab;
  config.hidden_size = kHidden;
  config.num_layers = 1;
  config.num_heads = 2;
  config.intermediate_size = 16;
  config.max_positions = 4;
  config.head = head;
  return config;
}

double activated(DenseActivation activation, double x) {
  if (activation == DenseActivation::Relu) return std::max(x, 0.0);
  if (activation == DenseActivation::Gelu) return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

// One token's numbers, in double.
class Reference {
 public:
  explicit Reference(const SyntheticBert& bert) : bert_(bert), head_(*bert.config.head) {}

  std::vector<double> logits(std::vector<double> x) const {
    if (head_.dense_size > 0) {
      x = linear("token_head.dense", x, head_.dense_bias);
      for (double& value : x) value = activated(head_.activation, value);
    }
    if (head_.norm) normalize(x);
    const char* classifier = "token_head.classifier";
    const std::vector<float> matrix =
        part(head_.tied ? "embeddings.word_embeddings.weight" : "token_head.classifier.weight");
    return multiply(
        matrix, x,
        head_.classifier_bias ? part(std::string(classifier) + ".bias") : std::vector<float>());
  }

 private:
  [[nodiscard]] std::vector<float> part(const std::string& name) const {
    const model::TensorEntry& entry = *bert_.model.find(name);
    return entry.dtype == tensor::DType::I8 ? dequantized(entry) : bert_.floats(entry);
  }
  // q · scale, with one scale for a row.
  [[nodiscard]] std::vector<float> dequantized(const model::TensorEntry& entry) const {
    const auto stored = [&](const std::string& name) {
      return bert_.bytes(static_cast<size_t>(bert_.model.find(name) - bert_.model.tensors.data()));
    };
    const AlignedBuffer codes = stored(entry.name);
    const AlignedBuffer scales = stored(entry.name + ".scale");
    std::vector<float> values;
    for (size_t i = 0; i < codes.size(); ++i) {
      const size_t row = i / static_cast<size_t>(entry.shape[1]);
      values.push_back(static_cast<float>(codes.as<int8_t>()[i]) * scales.as<float>()[row]);
    }
    return values;
  }
  static std::vector<double> multiply(const std::vector<float>& matrix,
                                      const std::vector<double>& x,
                                      const std::vector<float>& bias) {
    std::vector<double> y(matrix.size() / x.size());
    for (size_t row = 0; row < y.size(); ++row) {
      y[row] = bias.empty() ? 0 : double{bias[row]};
      for (size_t j = 0; j < x.size(); ++j) y[row] += double{matrix[row * x.size() + j]} * x[j];
    }
    return y;
  }
  [[nodiscard]] std::vector<double> linear(const std::string& name, const std::vector<double>& x,
                                           bool bias) const {
    return multiply(part(name + ".weight"), x, bias ? part(name + ".bias") : std::vector<float>());
  }
  void normalize(std::vector<double>& x) const {
    const std::vector<float> weight = part("token_head.norm.weight");
    const std::vector<float> bias =
        head_.norm_bias ? part("token_head.norm.bias") : std::vector<float>(x.size());
    double mean = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    double variance = 0;
    for (const double value : x) {
      variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
    }
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = (x[i] - mean) / std::sqrt(variance + bert_.config.layer_norm_eps) * double{weight[i]} +
             double{bias[i]};
    }
  }

  const SyntheticBert& bert_;
  const HeadConfig& head_;
};

void expect_like_the_reference(const HeadConfig& head,
                               SyntheticStorage storage = SyntheticStorage::F32) {
  const SyntheticBert bert(config_with(head), storage);
  const auto encoder = bert.build();
  ASSERT_TRUE(encoder) << describe(encoder.error());
  const std::vector<float> hidden = hashed_uniform("hidden", kTokens * kHidden);
  const auto made = encoder->token_logits(hidden);
  ASSERT_TRUE(made);
  const std::span<const float> logits = made->as<float>();
  const size_t width = bert.config.head_outputs();
  ASSERT_EQ(logits.size(), kTokens * width);
  for (size_t token = 0; token < kTokens; ++token) {
    const auto row = std::span(hidden).subspan(token * kHidden, kHidden);
    const std::vector<double> expected = Reference(bert).logits({row.begin(), row.end()});
    ASSERT_EQ(expected.size(), width);
    for (size_t i = 0; i < width; ++i) {
      EXPECT_NEAR(logits[token * width + i], expected[i], 2e-5) << "token " << token << " at " << i;
    }
  }
}

HeadConfig head_for(HeadTask task) {
  HeadConfig head;
  head.task = task;
  head.classifier_bias = true;
  if (task == HeadTask::TokenClassification) head.labels = {"O", "B-PER", "I-PER"};
  return head;
}

TEST(TokenHead, ClassifiesEachToken) {
  expect_like_the_reference(head_for(HeadTask::TokenClassification));
  HeadConfig bare = head_for(HeadTask::TokenClassification);
  bare.classifier_bias = false;
  expect_like_the_reference(bare);
}

TEST(TokenHead, GivesTheEndsOfAnswers) {
  expect_like_the_reference(head_for(HeadTask::QuestionAnswering));
}

TEST(TokenHead, MayHaveADenseLayerAndANorm) {
  for (const DenseActivation activation :
       {DenseActivation::Gelu, DenseActivation::GeluTanh, DenseActivation::Relu}) {
    for (const bool bias : {true, false}) {
      HeadConfig head = head_for(HeadTask::TokenClassification);
      head.activation = activation;
      head.dense_size = 13;
      head.dense_bias = bias;
      head.norm = true;
      head.norm_bias = bias;
      expect_like_the_reference(head);
    }
  }
}

TEST(TokenHead, FillsMasksWithItsOwnMatrixOrTheWordEmbeddings) {
  for (const bool tied : {true, false}) {
    for (const bool bias : {true, false}) {
      HeadConfig head = head_for(HeadTask::FillMask);
      head.dense_size = kHidden;
      head.norm = true;  // without a bias, and perhaps before a lone bias of the classifier
      head.tied = tied;
      head.classifier_bias = bias;
      head.activation = DenseActivation::Gelu;
      expect_like_the_reference(head);
      expect_like_the_reference(head, SyntheticStorage::Int8);
    }
  }
}

TEST(TokenHead, CountsAsWeights) {
  HeadConfig none;
  none.labels = {"x"};
  const SyntheticBert tied(config_with([] {
    HeadConfig head = head_for(HeadTask::FillMask);
    head.tied = true;
    return head;
  }()));
  const SyntheticBert own(config_with(head_for(HeadTask::FillMask)));
  EXPECT_GT(own.build().value().weight_bytes(), tied.build().value().weight_bytes());
}

}  // namespace
}  // namespace ambry::infer::token_heads
