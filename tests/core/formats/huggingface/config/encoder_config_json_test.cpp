#include "formats/huggingface/config/encoder_config_json.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {
namespace {

Result<model::EncoderConfig> read_config(const std::string& text) {
  const io::Json json = io::parse_json(text).value();
  model::EncoderConfig config;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(FileValues("config.json", json), config));
  return config;
}

constexpr const char* kNomic =
    R"("model_type":"nomic_bert","n_embd":8,"activation_function":"swiglu")";

std::string nomic(const std::string& more) { return concat({"{", kNomic, more, "}"}); }

TEST(EncoderConfigFile, KnowsTheTypesAndTheirDefaults) {
  const auto distilbert = read_config(R"({"model_type":"distilbert","dim":20,"hidden_dim":33})");
  ASSERT_TRUE(distilbert);
  EXPECT_EQ(distilbert->architecture, &model::kDistilBert);
  EXPECT_EQ(distilbert->hidden_size, 20U);
  EXPECT_EQ(distilbert->intermediate_size, 33U);
  EXPECT_EQ(distilbert->num_layers, 6U);
  EXPECT_EQ(distilbert->type_vocab_size, 0U);
  for (const char* type : {"roberta", "xlm-roberta", "camembert"}) {
    const auto roberta = read_config(concat({R"({"model_type":")", type, R"("})"}));
    ASSERT_TRUE(roberta);
    EXPECT_EQ(roberta->architecture, &model::kRoberta);
    EXPECT_EQ(roberta->facts.pad_token_id, 1U);
  }
  const auto electra = read_config(R"({"architectures":["ElectraForPreTraining"]})");
  ASSERT_TRUE(electra);
  EXPECT_EQ(electra->embedding_width(), 128U);
  EXPECT_EQ(electra->hidden_size, 256U);
  const auto albert = read_config(R"({"model_type":"albert","num_hidden_groups":3})");
  ASSERT_TRUE(albert);
  EXPECT_EQ(albert->weight_layers(), 3U);
  EXPECT_EQ(albert->hidden_act, "gelu_new");
  EXPECT_EQ(read_config(R"({"architectures":["MPNetModel"]})")->facts.relative_buckets, 32U);
}

TEST(EncoderConfigFile, ReadsNomicsOwnKeys) {
  const auto config = read_config(nomic(R"(,"rotary_emb_base":1000,"vocab_size":61,
      "pad_vocab_size_multiple":64,"n_positions":100,"qkv_proj_bias":true)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->facts.rope_theta, 1000);
  EXPECT_EQ(config->vocab_size, 64U);
  EXPECT_EQ(config->max_tokens(), 100U);
  EXPECT_TRUE(config->facts.attention_bias);
  EXPECT_FALSE(config->facts.mlp_bias);
  EXPECT_EQ(config->hidden_act, "silu");
  EXPECT_EQ(read_config(R"({"model_type":"nomic_bert","n_embd":8,"activation_function":"geglu"})")
                ->hidden_act,
            "gelu");
}

TEST(EncoderConfigFile, CountsThePositionsBeforeTheFirst) {
  const auto config = read_config(R"({"model_type":"roberta","max_position_embeddings":514})");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->max_tokens(), 512U);
  EXPECT_EQ(read_config(R"({"model_type":"roberta","max_position_embeddings":2})")->max_tokens(),
            0U);
}

TEST(EncoderConfigFile, RefusesSettingsThatChangeResultsByName) {
  const std::vector<std::pair<std::string, const char*>> kSettings = {
      {R"({"model_type":"roberta","position_embedding_type":"relative_key"})",
       "position_embedding_type"},
      {R"({"model_type":"electra","is_decoder":true})", "is_decoder"},
      {R"({"model_type":"albert","inner_group_num":2})", "inner_group_num"},
      {R"({"model_type":"bert","hidden_act":"swish"})", "hidden_act"},
      {R"({"model_type":"distilbert","activation":"silu"})", "activation"},
      {nomic(R"(,"prenorm":true)"), "prenorm"},
      {nomic(R"(,"rotary_scaling_factor":2)"), "rotary_scaling_factor"},
      {nomic(R"(,"rotary_emb_interleaved":true)"), "rotary_emb_interleaved"},
      {nomic(R"(,"num_experts":8)"), "num_experts"},
      {nomic(R"(,"mlp_fc2_bias":true)"), "mlp_fc2_bias"},
      {R"({"model_type":"nomic_bert","n_embd":8,"activation_function":"relu"})",
       "activation_function"}};
  for (const auto& [text, key] : kSettings) {
    const auto config = read_config(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, ErrorCode::Unsupported) << text;
    EXPECT_EQ(config.error().path, concat({"config.json.", key}));
    EXPECT_NE(config.error().byte_offset, kNoOffset);
  }
  EXPECT_TRUE(read_config(nomic(R"(,"rotary_scaling_factor":null,"num_experts":0.0)")));
}

TEST(EncoderConfigFile, RefusesHostileFacts) {
  const std::vector<std::pair<std::string, const char*>> kFacts = {
      {R"({"model_type":"albert","num_hidden_groups":0})", "num_hidden_groups"},
      {R"({"model_type":"albert","num_hidden_groups":4294967295})", "num_hidden_groups"},
      {R"({"model_type":"electra","embedding_size":0})", "embedding_size"},
      {R"({"model_type":"roberta","pad_token_id":4294967295})", "pad_token_id"},
      {R"({"model_type":"mpnet","relative_attention_num_buckets":3})",
       "relative_attention_num_buckets"},
      {R"({"model_type":"mpnet","relative_attention_num_buckets":4294967295})",
       "relative_attention_num_buckets"},
      {nomic(R"(,"rotary_emb_base":0)"), "rotary_emb_base"},
      {nomic(R"(,"rotary_emb_fraction":2)"), "rotary_emb_fraction"},
      {R"({"model_type":"electra","embedding_size":"wide"})", "embedding_size"},
      {R"({"model_type":"roberta","pad_token_id":-1})", "pad_token_id"}};
  for (const auto& [text, key] : kFacts) {
    const auto config = read_config(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, ErrorCode::BadValue) << text;
    EXPECT_EQ(config.error().path, concat({"config.json.", key}));
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
