#include <gtest/gtest.h>

#include "formats/embd/read_embd.h"
#include "formats/expect_format.h"
#include "model/encoder/encoder_config.h"

namespace ambry::formats::embd {
namespace {

using testing::expect_tolerated;
using testing::F0Maker;
using testing::File;
using testing::has;
using testing::make_f0;
using testing::Read;
using testing::read;

TEST(EmbdF0, ReadsTheEncodersFacts) {
  const Read result = read(make_f0());
  const auto config = model::encoder_config(*result.model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->num_heads, 2U);
  EXPECT_EQ(config->max_seq_length, 6U);
  EXPECT_EQ(config->pooling, "mean");
  EXPECT_TRUE(config->normalize);
}

// core/formats/embd/README.md#integer-weights
TEST(EmbdF0, ReadsIntegerWeightsWithTheirScales) {
  F0Maker maker;
  maker.tensors[0].dtype = 5;
  maker.tensors.push_back({"embeddings.word_embeddings.weight.scale", {8}});
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.back().shape = {1};
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.back().shape = {4};
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors[21].shape"));
  maker.tensors.back() = {"embeddings.word_embeddings.weight.scale", {8}, 1};
  File half = maker.make();
  expect_tolerated(half, "tensors[21].dtype", maker.places.descriptor(21));
  maker.tensors.pop_back();
  const Read bare = read(maker.make());
  EXPECT_TRUE(bare.found.errors.empty());
  EXPECT_TRUE(has(bare.found.warnings, "tensors[0]"));
}

// core/formats/embd/README.md#tensors
TEST(EmbdF0, NamesTheExpectedShapeOfAMisshapenTensor) {
  F0Maker maker;
  maker.tensors[15].shape = {4, 6};
  maker.tensors[20].name = "encoder.layer.0.output.LayerNorm.beta";
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  ASSERT_EQ(result.found.errors.size(), 2U);
  EXPECT_NE(result.found.errors[0].message.find("expected [6, 4]"), std::string::npos);
  EXPECT_EQ(result.found.errors[0].path, "tensors[15].shape");
  EXPECT_NE(result.found.errors[1].message.find("output.LayerNorm.bias [4] is missing"),
            std::string::npos);
}

// core/formats/embd/README.md#dense
F0Maker with_dense() {
  F0Maker maker;
  maker.tensors.push_back({"dense.0.weight", {3, 4}});
  maker.tensors.push_back({"dense.0.bias", {3}});
  maker.tensors.push_back({"dense.1.weight", {2, 3}, 1});
  maker.metadata[2].second = "2";  // embedding_dim
  maker.metadata.emplace_back("dense_activations", R"(["tanh","identity"])");
  return maker;
}

TEST(EmbdF0, ReadsDenseLayers) {
  const Read result = read(with_dense().make());
  EXPECT_TRUE(result.clean());
  const auto config = model::encoder_config(*result.model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->embedding_size(), 2U);
  EXPECT_EQ(config->dense.size(), 2U);
}

TEST(EmbdF0, NamesFaultsOfDenseLayers) {
  F0Maker maker = with_dense();
  maker.metadata[2].second = "4";
  EXPECT_TRUE(has(read(maker.make()).found.warnings, "metadata.embedding_dim"));
  maker = with_dense();
  maker.metadata.pop_back();
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors[21]"));
  maker = with_dense();
  maker.tensors[22].shape = {4};
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors[22].shape"));
  maker = with_dense();
  maker.tensors[23].shape = {2, 4};
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors[23].shape"));
  maker.tensors.pop_back();
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors"));
}

// core/formats/embd/README.md#model-facts, and facts that make no sense.
TEST(EmbdF0, RefusesUnknownFactsByName) {
  const std::pair<std::string, std::string> kBad[] = {{"architecture", "gpt2"},
                                                      {"hidden_act", "swish"},
                                                      {"pooling_mode", "sum"},
                                                      {"normalize", "perhaps"},
                                                      {"num_attention_heads", "3"},
                                                      {"num_layers", "1e9"},
                                                      {"num_layers", "4000000000"},
                                                      {"layer_norm_eps", "small"},
                                                      {"hidden_size", "0"},
                                                      {"prompts", "[]"},
                                                      {"default_prompt_name", "none"},
                                                      {"dense_activations", "tanh"}};
  for (const auto& [key, value] : kBad) {
    F0Maker maker;
    std::erase_if(maker.metadata, [&](const auto& entry) { return entry.first == key; });
    maker.metadata.emplace_back(key, value);
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << key;
    ASSERT_TRUE(has(result.found.errors, "metadata." + key)) << key << "=" << value;
    EXPECT_LT(result.found.errors[0].byte_offset, maker.make().size());
  }
}

}  // namespace
}  // namespace ambry::formats::embd
