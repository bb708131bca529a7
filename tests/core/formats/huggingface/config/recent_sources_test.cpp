// What is read of the configs of EuroBERT, NeoBERT, RoFormer, nomic's encoders
// with experts and MobileBERT, and what is refused.
#include "formats/huggingface/config/encoders/recent_sources.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "formats/huggingface/config/encoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

Result<model::EncoderConfig> read_recent(const std::string& text) {
  const io::Json json = io::parse_json(text).value();
  model::EncoderConfig config;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(FileValues("config.json", json), config));
  return config;
}

std::string recent(const char* type, const std::string& more) {
  return concat({R"({"model_type":")", type, "\"", more, "}"});
}

// A config and the key at which it is refused.
using Refused = std::pair<std::string, const char*>;

void expect_refused(const std::vector<Refused>& rows, ErrorCode code) {
  for (const auto& [text, key] : rows) {
    const auto config = read_recent(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, code) << text;
    EXPECT_EQ(config.error().path, concat({"config.json.", key})) << text;
  }
}

// The facts that EuroBERT-610m states.
TEST(RecentSources, ReadEuroBert) {
  const auto config = read_recent(
      recent("eurobert", R"(,"architectures":["EuroBertForMaskedLM"],"attention_bias":false,
      "hidden_act":"silu","hidden_size":1152,"intermediate_size":4096,"is_decoder":false,
      "max_position_embeddings":8192,"mlp_bias":false,"num_attention_heads":18,
      "num_hidden_layers":26,"num_key_value_heads":6,"pretraining_tp":1,"rms_norm_eps":1e-05,
      "rope_scaling":null,"rope_theta":250000,"tie_word_embeddings":false,"vocab_size":128256)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kEuroBert);
  EXPECT_EQ(config->hidden_size, 1152U);
  EXPECT_EQ(config->num_layers, 26U);
  EXPECT_EQ(config->head_dim(), 64U);
  EXPECT_EQ(config->kv_inner_size(), 384U);
  EXPECT_EQ(config->max_positions, 8192U);
  EXPECT_EQ(config->layer_norm_eps, 1e-5);
  EXPECT_EQ(config->hidden_act, "silu");
  EXPECT_EQ(config->facts.rope_theta, 250'000);
  EXPECT_EQ(config->type_vocab_size, 0U);
}

TEST(RecentSources, ReadWhatTransformersWritesOfEuroBert) {
  const auto config = read_recent(
      recent("eurobert", R"(,"head_dim":32,"num_attention_heads":6,"num_key_value_heads":null,
      "rope_parameters":{"rope_theta":1000.0,"rope_type":"default"})"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->inner_size(), 192U);
  EXPECT_EQ(config->facts.kv_heads, 6U);
  EXPECT_EQ(config->facts.rope_theta, 1000);
}

// The facts that jina-embeddings-v5-text-nano states. The larger one is made of Qwen3.
TEST(RecentSources, TellTheModelsOfJinaV5Apart) {
  const auto config = read_recent(recent(
      "jina_embeddings_v5", R"(,"architectures":["JinaEmbeddingsV5Model"],"attention_bias":false,
      "hidden_act":"silu","hidden_size":768,"intermediate_size":3072,"is_decoder":false,
      "max_position_embeddings":8192,"num_attention_heads":12,"num_hidden_layers":12,
      "num_key_value_heads":12,"rms_norm_eps":1e-05,"rope_scaling":null,"rope_theta":1000000,
      "task_names":["retrieval","text-matching","clustering","classification"],
      "tie_word_embeddings":false,"vocab_size":128256)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kEuroBert);
  EXPECT_EQ(config->facts.rope_theta, 1'000'000);
  expect_refused(
      {{recent("jina_embeddings_v5", R"(,"max_window_layers":28,"head_dim":128)"), "model_type"}},
      ErrorCode::Unsupported);
}

TEST(RecentSources, RefuseWhatChangesTheVectorsOfEuroBert) {
  expect_refused(
      {{recent("eurobert", R"(,"rope_scaling":{"rope_type":"linear","factor":2})"), "rope_scaling"},
       {recent("eurobert", R"(,"is_decoder":true)"), "is_decoder"},
       {recent("eurobert", R"(,"hidden_act":"mish")"), "hidden_act"},
       {recent("eurobert", R"(,"rope_parameters":{"rope_type":"yarn"})"),
        "rope_parameters.rope_type"}},
      ErrorCode::Unsupported);
  expect_refused(
      {{recent("eurobert", R"(,"num_attention_heads":12,"num_key_value_heads":5)"),
        "num_key_value_heads"},
       {recent("eurobert", R"(,"num_attention_heads":4,"num_key_value_heads":8)"),
        "num_key_value_heads"},
       {recent("eurobert", R"(,"head_dim":1000000)"), "head_dim"},
       {recent("eurobert", R"(,"rope_theta":0.5)"), "rope_theta"},
       {recent("eurobert", R"(,"rope_parameters":{"rope_theta":0})"), "rope_parameters"}},
      ErrorCode::BadValue);
}

// The facts that NeoBERT states.
TEST(RecentSources, ReadNeoBert) {
  const auto config = read_recent(
      recent("neobert", R"(,"architectures":["NeoBERTLMHead"],"dim_head":64,"hidden_size":768,
      "intermediate_size":3072,"max_length":4096,"norm_eps":1e-05,"num_attention_heads":12,
      "num_hidden_layers":28,"pad_token_id":0,"vocab_size":30522)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kNeoBert);
  EXPECT_EQ(config->num_layers, 28U);
  EXPECT_EQ(config->intermediate_size, 2048U);
  EXPECT_EQ(config->max_positions, 4096U);
  EXPECT_EQ(config->layer_norm_eps, 1e-5);
  EXPECT_EQ(config->hidden_act, "silu");
  EXPECT_TRUE(config->facts.interleaved);
  EXPECT_TRUE(config->facts.fused_by_head);
  EXPECT_EQ(read_recent(recent("neobert", R"(,"intermediate_size":70)"))->intermediate_size, 48U);
}

TEST(RecentSources, RefuseWhatChangesTheVectorsOfNeoBert) {
  expect_refused({{recent("neobert", R"(,"hidden_act":"gelu")"), "hidden_act"},
                  {recent("neobert", R"(,"rms_norm":false)"), "rms_norm"},
                  {recent("neobert", R"(,"rope":false)"), "rope"},
                  {recent("neobert", R"(,"swiglu_packed":false)"), "swiglu_packed"}},
                 ErrorCode::Unsupported);
}

// The facts that roformer_chinese_base states.
TEST(RecentSources, ReadRoFormer) {
  const auto config = read_recent(
      recent("roformer", R"(,"architectures":["RoFormerForMaskedLM"],"embedding_size":768,
      "hidden_act":"gelu","hidden_size":768,"intermediate_size":3072,"layer_norm_eps":1e-12,
      "max_position_embeddings":1536,"num_attention_heads":12,"num_hidden_layers":12,
      "pad_token_id":0,"rotary_value":false,"type_vocab_size":2,"vocab_size":50000)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kRoFormer);
  EXPECT_EQ(config->max_positions, 1536U);
  EXPECT_EQ(config->vocab_size, 50'000U);
  EXPECT_EQ(config->hidden_act, "gelu");
  EXPECT_EQ(config->facts.rope_theta, 10'000);
  EXPECT_TRUE(config->facts.interleaved);
  EXPECT_FALSE(config->facts.fused_by_head);
  EXPECT_EQ(read_recent(recent("roformer", R"(,"hidden_size":384)"))->embedding_width(), 384U);
}

TEST(RecentSources, RefuseWhatChangesTheVectorsOfRoFormer) {
  expect_refused({{recent("roformer", R"(,"rotary_value":true)"), "rotary_value"},
                  {recent("roformer", R"(,"is_decoder":true)"), "is_decoder"},
                  {recent("roformer", R"(,"add_cross_attention":true)"), "add_cross_attention"},
                  {recent("roformer", R"(,"hidden_act":"silu")"), "hidden_act"}},
                 ErrorCode::Unsupported);
}

constexpr const char* kNomicMoeConfig = R"(,"activation_function":"gelu","add_pooling_layer":false,
    "architectures":["NomicBertModel"],"causal":false,"expert_choice_router":false,"ffn_div":1,
    "layer_norm_epsilon":1e-05,"max_trained_positions":2048,"mlp_fc1_bias":true,
    "mlp_fc2_bias":true,"moe_normalize_expert_weights":false,"n_embd":768,"n_head":12,
    "n_inner":3072,"n_layer":12,"n_positions":2048,"num_shared_experts":0,"pad_token_id":1,
    "pad_vocab_size_multiple":64,"parallel_block":false,"prenorm":false,"qkv_proj_bias":true,
    "rotary_emb_base":10000,"rotary_emb_fraction":1.0,"rotary_emb_interleaved":false,
    "rotary_emb_scale_base":null,"rotary_scaling_factor":null,"scale_attn_weights":true,
    "type_vocab_size":1,"use_rms_norm":null,"vocab_size":250048)";

std::string nomic_moe(const std::string& more) {
  return recent("nomic_bert", concat({kNomicMoeConfig, more}));
}

// The facts that nomic-embed-text-v2-moe states.
TEST(RecentSources, ReadTheExpertsOfNomic) {
  const auto config =
      read_recent(nomic_moe(R"(,"moe_every_n_layers":2,"moe_top_k":2,"num_experts":8)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kNomicMoe);
  EXPECT_EQ(config->vocab_size, 250'048U);
  EXPECT_EQ(config->max_positions, 2048U);
  EXPECT_EQ(config->hidden_act, "gelu");
  EXPECT_EQ(config->layer_norm_eps, 1e-5);
  EXPECT_EQ(config->type_vocab_size, 1U);
  const model::EncoderFacts& facts = config->facts;
  EXPECT_TRUE(facts.attention_bias && facts.mlp_bias && !facts.gated);
  EXPECT_EQ(facts.experts, 8U);
  EXPECT_EQ(facts.experts_used, 2U);
  EXPECT_FALSE(facts.has_experts(0));
  EXPECT_TRUE(facts.has_experts(1));
  EXPECT_FALSE(facts.has_experts(2));
  EXPECT_TRUE(facts.has_experts(11));
  // Without experts, the feed-forward layer must be one that the other models have.
  const auto none = read_recent(nomic_moe(R"(,"moe_every_n_layers":0)"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().path, "config.json.activation_function");
}

TEST(RecentSources, RefuseExpertsThatDoNotRun) {
  const auto with = [](const char* more) {
    return nomic_moe(concat({R"(,"moe_every_n_layers":2)", more}));
  };
  expect_refused({{with(R"(,"moe_top_k":9)"), "moe_top_k"},
                  {with(R"(,"moe_top_k":0)"), "moe_top_k"},
                  {with(R"(,"num_experts":0)"), "num_experts"},
                  {with(R"(,"num_experts":65)"), "num_experts"},
                  {nomic_moe(R"(,"moe_every_n_layers":1)"), "moe_every_n_layers"}},
                 ErrorCode::BadValue);
  const auto moe = [](const char* more) {
    return recent("nomic_bert", concat({R"(,"n_embd":64,"moe_every_n_layers":2)", more}));
  };
  expect_refused({{moe(R"(,"moe_normalize_expert_weights":true)"), "moe_normalize_expert_weights"},
                  {moe(R"(,"num_shared_experts":1)"), "num_shared_experts"},
                  {moe(R"(,"expert_choice_router":true)"), "expert_choice_router"},
                  {moe(R"(,"activation_function":"swiglu")"), "activation_function"},
                  {moe(R"(,"prenorm":true)"), "prenorm"},
                  {moe(R"(,"mlp_fc1_bias":true,"mlp_fc2_bias":false)"), "mlp_fc2_bias"}},
                 ErrorCode::Unsupported);
}

// The facts that mobilebert-uncased states.
TEST(RecentSources, ReadMobileBert) {
  const auto config = read_recent(
      recent("mobilebert", R"(,"attention_probs_dropout_prob":0.1,"classifier_activation":false,
      "embedding_size":128,"hidden_act":"relu","hidden_dropout_prob":0.0,"hidden_size":512,
      "intermediate_size":512,"intra_bottleneck_size":128,"key_query_shared_bottleneck":true,
      "layer_norm_eps":1e-12,"max_position_embeddings":512,"normalization_type":"no_norm",
      "num_attention_heads":4,"num_feedforward_networks":4,"num_hidden_layers":24,
      "pad_token_id":0,"trigram_input":true,"true_hidden_size":128,"type_vocab_size":2,
      "use_bottleneck":true,"use_bottleneck_attention":false,"vocab_size":30522)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kMobileBert);
  EXPECT_EQ(config->hidden_size, 512U);
  EXPECT_EQ(config->embedding_width(), 128U);
  EXPECT_EQ(config->facts.narrow_size, 128U);
  EXPECT_EQ(config->facts.feed_forwards, 4U);
  EXPECT_EQ(config->head_dim(), 32U);
  EXPECT_EQ(config->hidden_act, "relu");
}

TEST(RecentSources, RefuseOtherFormsOfMobileBert) {
  expect_refused(
      {{recent("mobilebert", R"(,"trigram_input":false)"), "trigram_input"},
       {recent("mobilebert", R"(,"use_bottleneck":false)"), "use_bottleneck"},
       {recent("mobilebert", R"(,"use_bottleneck_attention":true)"), "use_bottleneck_attention"},
       {recent("mobilebert", R"(,"key_query_shared_bottleneck":false)"),
        "key_query_shared_bottleneck"},
       {recent("mobilebert", R"(,"normalization_type":"layer_norm")"), "normalization_type"},
       {recent("mobilebert", R"(,"hidden_act":"silu")"), "hidden_act"}},
      ErrorCode::Unsupported);
  expect_refused(
      {{recent("mobilebert", R"(,"num_attention_heads":5)"), "num_attention_heads"},
       {recent("mobilebert", R"(,"num_attention_heads":0)"), "num_attention_heads"},
       {recent("mobilebert", R"(,"num_feedforward_networks":0)"), "num_feedforward_networks"},
       {recent("mobilebert", R"(,"num_feedforward_networks":65)"), "num_feedforward_networks"},
       {recent("mobilebert", R"(,"intra_bottleneck_size":0)"), "intra_bottleneck_size"}},
      ErrorCode::BadValue);
}

}  // namespace
}  // namespace ambry::formats::huggingface
