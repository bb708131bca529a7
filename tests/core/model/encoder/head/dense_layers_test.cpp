// core/formats/embd/README.md#dense
#include "model/encoder/head/dense_layers.h"

#include <gtest/gtest.h>

#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_metadata.h"
#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

// Two layers, from 4 numbers to 6 and to 3.
Model two_layers() {
  Model model;
  model.tensors = {entry("dense.0.weight", {6, 4}), entry("dense.0.bias", {6}),
                   entry("dense.1.weight", {3, 6})};
  model.metadata.set(kDenseActivations, R"(["tanh","identity"])");
  return model;
}

TEST(DenseLayers, FollowFromTheMetadataAndTheTensors) {
  const auto layers = dense_layers(two_layers(), 4);
  ASSERT_TRUE(layers) << describe(layers.error());
  const std::vector<DenseConfig> expected = {{4, 6, true, DenseActivation::Tanh},
                                             {6, 3, false, DenseActivation::Identity}};
  EXPECT_EQ(*layers, expected);
  EXPECT_EQ(dense_activations_text(*layers), R"(["tanh","identity"])");
  EXPECT_TRUE(dense_layers(Model(), 4)->empty());
}

TEST(DenseLayers, AreWrittenAsMetadata) {
  EncoderConfig config;
  config.hidden_size = 4;
  config.dense = {{4, 6, true, DenseActivation::Gelu}, {6, 3, false, DenseActivation::Sigmoid}};
  EXPECT_EQ(config.embedding_size(), 3U);
  io::Json metadata = io::Json::object();
  set_encoder_metadata(config, metadata);
  EXPECT_EQ(metadata.find("embedding_dim")->string(), "3");
  EXPECT_EQ(metadata.find("hidden_size")->string(), "4");
  EXPECT_EQ(metadata.find("dense_activations")->string(), R"(["gelu","sigmoid"])");
  config.dense.clear();
  EXPECT_EQ(config.embedding_size(), 4U);
  metadata = io::Json::object();
  set_encoder_metadata(config, metadata);
  EXPECT_EQ(metadata.find("dense_activations"), nullptr);
}

TEST(DenseLayers, KnowTheClassesOfTorch) {
  const std::pair<const char*, const char*> kClasses[] = {
      {"Identity", "identity"}, {"Tanh", "tanh"},       {"ReLU", "relu"},
      {"GELU", "gelu"},         {"Sigmoid", "sigmoid"}, {"SiLU", "silu"}};
  for (const auto& [torch, name] : kClasses) {
    const auto activation = dense_activation_of_torch(torch);
    ASSERT_TRUE(activation) << torch;
    EXPECT_EQ(dense_activation_name(*activation), name);
  }
  EXPECT_FALSE(dense_activation_of_torch("Softplus"));
}

TEST(DenseLayers, RefuseAListThatIsNone) {
  const std::pair<std::string, ErrorCode> kBad[] = {
      {"tanh", ErrorCode::BadValue},
      {"{}", ErrorCode::BadValue},
      {"[1]", ErrorCode::BadValue},
      {R"(["tanh","swish"])", ErrorCode::Unsupported},
      {R"(["tanh","tanh","tanh","tanh","tanh","tanh","tanh","tanh","tanh","tanh","tanh","tanh",
           "tanh","tanh","tanh","tanh","tanh"])",
       ErrorCode::LimitExceeded}};
  for (const auto& [text, code] : kBad) {
    Model model = two_layers();
    model.metadata.set(kDenseActivations, text);
    const auto layers = dense_layers(model, 4);
    ASSERT_FALSE(layers) << text;
    EXPECT_EQ(layers.error().code, code) << text;
    EXPECT_EQ(layers.error().path, "metadata.dense_activations");
  }
}

// A layer that is left out would give other vectors.
TEST(DenseLayers, RefuseAWeightWithoutAnActivation) {
  Model model = two_layers();
  model.metadata.set(kDenseActivations, R"(["tanh"])");
  const auto one = dense_layers(model, 4);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(one.error().path, "tensors[2]");
  model.metadata = io::Json::object();
  EXPECT_EQ(dense_layers(model, 4).error().path, "tensors[0]");
}

TEST(DenseLayers, RefuseAnActivationWithoutAWeight) {
  Model model = two_layers();
  model.tensors.pop_back();
  const auto layers = dense_layers(model, 4);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().code, ErrorCode::NotFound);
  EXPECT_NE(layers.error().message.find("dense.1.weight"), std::string::npos);
}

TEST(DenseLayers, RefuseSizesThatDoNotFollow) {
  const auto path_of = [](const Model& model, uint32_t hidden_size) {
    const auto layers = dense_layers(model, hidden_size);
    EXPECT_FALSE(layers);
    EXPECT_EQ(layers.error().code, ErrorCode::Mismatch);
    return layers.error().path;
  };
  Model model = two_layers();
  EXPECT_EQ(path_of(model, 5), "tensors[0].shape");
  model.tensors[2].shape = {3, 4};
  EXPECT_EQ(path_of(model, 4), "tensors[2].shape");
  model.tensors[2].shape = {6};
  EXPECT_EQ(path_of(model, 4), "tensors[2].shape");
  model.tensors[2].shape = {0, 6};
  EXPECT_EQ(path_of(model, 4), "tensors[2].shape");
}

}  // namespace
}  // namespace ambry::model
