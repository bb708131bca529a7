// Compares the dense layers with a reference in f64.
#include "infer/encoder/head/dense_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "infer/encoder/encoder.h"
#include "infer/encoder/synthetic_bert.h"

namespace ambry::infer {
namespace {

using model::DenseActivation;
using model::DenseConfig;

// 20 numbers from the pooling. Widths that are no multiples of a vector's lanes.
model::EncoderConfig config_with(std::vector<DenseConfig> dense) {
  model::EncoderConfig config;
  config.vocab_size = 10;
  config.hidden_size = 20;
  config.num_layers = 1;
  config.num_heads = 2;
  config.intermediate_size = 16;
  config.max_positions = 4;
  config.dense = std::move(dense);
  return config;
}

double activated(DenseActivation activation, double x) {
  switch (activation) {
    case DenseActivation::Identity:
      return x;
    case DenseActivation::Tanh:
      return std::tanh(x);
    case DenseActivation::Relu:
      return std::max(x, 0.0);
    case DenseActivation::Gelu:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case DenseActivation::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case DenseActivation::GeluTanh:
      return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    case DenseActivation::Silu:
      return x / (1 + std::exp(-x));
  }
  return 0;
}

std::vector<double> reference(const SyntheticBert& bert, const std::vector<float>& pooled) {
  std::vector<double> x(pooled.begin(), pooled.end());
  for (size_t i = 0; i < bert.config.dense.size(); ++i) {
    const DenseConfig& layer = bert.config.dense[i];
    const auto part = [&](const char* name) {
      return bert.floats(*bert.model.find(model::dense_tensor_name(i, name)));
    };
    const std::vector<float> weight = part("weight");
    std::vector<double> y(layer.out_features);
    const std::vector<float> bias = layer.bias ? part("bias") : std::vector<float>(y.size());
    for (size_t row = 0; row < y.size(); ++row) {
      double sum = double{bias[row]};
      for (size_t j = 0; j < x.size(); ++j) sum += double{weight[row * x.size() + j]} * x[j];
      y[row] = activated(layer.activation, sum);
    }
    x = std::move(y);
  }
  return x;
}

void expect_like_the_reference(const model::EncoderConfig& config) {
  const SyntheticBert bert(config);
  for (const WeightStorage storage : {WeightStorage::AsStored, WeightStorage::Int8}) {
    const Encoder encoder = bert.build(storage).value();
    EXPECT_EQ(encoder.embedding_size(), config.embedding_size());
    const std::vector<float> pooled = hashed_uniform("pooled", config.hidden_size);
    std::vector<float> vector = pooled;
    encoder.apply_dense(vector);
    const std::vector<double> expected = reference(bert, pooled);
    ASSERT_EQ(vector.size(), expected.size());
    for (size_t i = 0; i < vector.size(); ++i) EXPECT_NEAR(vector[i], expected[i], 4e-6) << i;
  }
}

TEST(DenseLayersTest, EveryActivationIsLikeTheReference) {
  for (const DenseActivation activation :
       {DenseActivation::Identity, DenseActivation::Tanh, DenseActivation::Relu,
        DenseActivation::Gelu, DenseActivation::Sigmoid, DenseActivation::GeluTanh,
        DenseActivation::Silu}) {
    for (const bool bias : {true, false}) {
      expect_like_the_reference(config_with({{20, 13, bias, activation}}));
    }
  }
}

TEST(DenseLayersTest, ApplyOneAfterAnother) {
  expect_like_the_reference(config_with({{20, 33, true, DenseActivation::Tanh},
                                         {33, 5, false, DenseActivation::Sigmoid},
                                         {5, 1, true, DenseActivation::Identity}}));
}

TEST(DenseLayersTest, WithoutLayersAVectorStays) {
  const Encoder encoder = SyntheticBert(config_with({})).build().value();
  EXPECT_EQ(encoder.embedding_size(), 20U);
  const std::vector<float> pooled = hashed_uniform("pooled", 20);
  std::vector<float> vector = pooled;
  encoder.apply_dense(vector);
  EXPECT_EQ(vector, pooled);
}

TEST(DenseLayersTest, CountAsWeights) {
  const SyntheticBert plain(config_with({}));
  const SyntheticBert dense(config_with({{20, 16, true, DenseActivation::Tanh}}));
  EXPECT_EQ(dense.build().value().weight_bytes(),
            plain.build().value().weight_bytes() + (20 * 16 + 16) * sizeof(float));
}

TEST(DenseLayersTest, AMissingOrMisshapenTensorIsNamed) {
  SyntheticBert bert(config_with({{20, 16, true, DenseActivation::Tanh}}));
  bert.config.dense[0].out_features = 15;
  const auto misshapen = EncoderBuilder::plan(bert.model, bert.config, WeightStorage::AsStored);
  ASSERT_FALSE(misshapen);
  EXPECT_EQ(misshapen.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(misshapen.error().path, "dense.0.weight");
  bert.config.dense[0].out_features = 16;
  bert.model.tensors.pop_back();
  const auto missing = EncoderBuilder::plan(bert.model, bert.config, WeightStorage::AsStored);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_EQ(missing.error().path, "dense.0.bias");
}

}  // namespace
}  // namespace ambry::infer
