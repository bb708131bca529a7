// Both spellings of the config of nomic's encoders.
#include "formats/huggingface/config/encoders/nomic_sources.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/encoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

Result<model::EncoderConfig> read_nomic_config(const std::string& more) {
  const io::Json json =
      io::parse_json(concat({R"({"model_type":"nomic_bert")", more, "}"})).value();
  model::EncoderConfig config;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(FileValues("config.json", json), config));
  return config;
}

TEST(NomicSources, ReadTheKeysOfBothClasses) {
  const auto own = read_nomic_config(
      R"(,"n_embd":64,"n_layer":2,"n_head":4,"n_inner":96,"n_positions":128,"vocab_size":100,
      "layer_norm_epsilon":1e-6,"activation_function":"swiglu","rotary_emb_base":1000)");
  const auto library = read_nomic_config(
      R"(,"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":96,
      "max_position_embeddings":128,"vocab_size":100,"layer_norm_eps":1e-6,"hidden_act":"silu",
      "head_dim":16,"rope_parameters":{"rope_theta":1000.0,"rope_type":"default"})");
  for (const auto* config : {&own, &library}) {
    ASSERT_TRUE(*config) << describe(config->error());
    EXPECT_EQ((*config)->architecture, &model::kNomicBert);
    EXPECT_EQ((*config)->hidden_size, 64U);
    EXPECT_EQ((*config)->num_layers, 2U);
    EXPECT_EQ((*config)->num_heads, 4U);
    EXPECT_EQ((*config)->intermediate_size, 96U);
    EXPECT_EQ((*config)->max_positions, 128U);
    EXPECT_EQ((*config)->vocab_size, 100U);
    EXPECT_EQ((*config)->layer_norm_eps, 1e-6);
    EXPECT_EQ((*config)->hidden_act, "silu");
    EXPECT_EQ((*config)->facts.rope_theta, 1000);
    EXPECT_FALSE((*config)->facts.attention_bias);
  }
}

TEST(NomicSources, HaveTheDefaultsOfTheLibrary) {
  const auto config = read_nomic_config(R"(,"hidden_size":768)");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->vocab_size, 30'528U);
  EXPECT_EQ(config->hidden_act, "silu");
  EXPECT_EQ(config->facts.rope_theta, 1000);
  EXPECT_EQ(config->layer_norm_eps, 1e-12);
}

TEST(NomicSources, RefuseWhatChangesVectors) {
  const std::pair<const char*, const char*> rows[] = {
      {R"(,"num_hidden_layers":2)", "config.json.n_embd"},
      {R"(,"hidden_size":64,"num_attention_heads":4,"head_dim":8)", "config.json.head_dim"},
      {R"(,"hidden_size":64,"rope_parameters":{"rope_type":"yarn"})",
       "config.json.rope_parameters.rope_type"},
      {R"(,"hidden_size":64,"rope_parameters":{"rope_theta":0})", "config.json.rope_parameters"},
      {R"(,"hidden_size":64,"is_decoder":true)", "config.json.is_decoder"}};
  for (const auto& [more, path] : rows) {
    const auto config = read_nomic_config(more);
    ASSERT_FALSE(config) << more;
    EXPECT_EQ(config.error().path, path);
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
