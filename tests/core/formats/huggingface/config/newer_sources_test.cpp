// What is read of the configs of ModernBERT, GTE, Jina's encoders, DeBERTa and T5, and what is
// refused.
#include "formats/huggingface/config/encoders/newer_sources.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "formats/huggingface/config/encoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

Result<model::EncoderConfig> read_newer(const std::string& text) {
  const io::Json json = io::parse_json(text).value();
  model::EncoderConfig config;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(FileValues("config.json", json), config));
  return config;
}

std::string modernbert(const std::string& more) {
  return concat({R"({"model_type":"modernbert")", more, "}"});
}

std::string gte(const std::string& more) { return concat({R"({"model_type":"new")", more, "}"}); }

std::string deberta(const std::string& more) {
  return concat({R"({"model_type":"deberta-v2","relative_attention":true,)",
                 R"("position_biased_input":false)", more, "}"});
}

std::string t5(const std::string& more) { return concat({R"({"model_type":"t5")", more, "}"}); }

std::string jina(const std::string& repository, const std::string& more) {
  return concat(
      {R"({"model_type":"bert","position_embedding_type":"alibi","auto_map":{"AutoModel":")",
       "jinaai/", repository, R"(--modeling_bert.JinaBertModel"})", more, "}"});
}

std::string jina_v3(const std::string& more) {
  return concat({R"({"model_type":"xlm-roberta","position_embedding_type":"rotary")", more, "}"});
}

TEST(NewerSources, ReadTheBasesOfModernBert) {
  const auto config = read_newer(modernbert(R"(,"global_rope_theta":5000,"local_attention":64)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->architecture, &model::kModernBert);
  EXPECT_EQ(config->facts.rope_theta, 5000);
  EXPECT_EQ(config->facts.local_rope_theta, 10'000);
  EXPECT_EQ(config->facts.local_window, 64U);
  EXPECT_FALSE(config->facts.is_local(0));
  EXPECT_TRUE(config->facts.is_local(1));
  EXPECT_FALSE(config->facts.is_local(3));
}

TEST(NewerSources, ReadTheNewerFormOfModernBert) {
  const auto config = read_newer(modernbert(
      R"(,"global_attn_every_n_layers":2,"layer_types":["full_attention","sliding_attention"],
      "rope_parameters":{"full_attention":{"rope_type":"default","rope_theta":8000},
                         "sliding_attention":{"rope_theta":900}})"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->facts.rope_theta, 8000);
  EXPECT_EQ(config->facts.local_rope_theta, 900);
}

TEST(NewerSources, ReadTheScalingOfGte) {
  EXPECT_EQ(read_newer(gte(""))->facts.rope_ntk_factor, 1);
  const auto config =
      read_newer(gte(R"(,"rope_scaling":{"type":"ntk","factor":8.0},"rope_theta":20000,
      "type_vocab_size":0,"unpad_inputs":true,"use_memory_efficient_attention":true)"));
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->facts.rope_ntk_factor, 8);
  EXPECT_EQ(config->facts.rope_theta, 20'000);
  EXPECT_EQ(config->type_vocab_size, 0U);
}

TEST(NewerSources, TellJinasEncodersFromBertAndRoberta) {
  const auto english =
      read_newer(jina("jina-bert-implementation", R"(,"feed_forward_type":"geglu")"));
  ASSERT_TRUE(english) << describe(english.error());
  EXPECT_EQ(english->architecture, &model::kJinaBert);
  EXPECT_EQ(english->hidden_act, "gelu");
  const auto code =
      read_newer(jina("jina-bert-v2-qk-post-norm", R"(,"feed_forward_type":"reglu")"));
  ASSERT_TRUE(code) << describe(code.error());
  EXPECT_EQ(code->architecture, &model::kJinaBertQkNorm);
  EXPECT_EQ(code->hidden_act, "relu");
  EXPECT_EQ(read_newer(jina_v3(R"(,"rotary_emb_base":20000)"))->architecture, &model::kJinaV3);
  EXPECT_EQ(read_newer(R"({"model_type":"bert"})")->architecture, &model::kBert);
  EXPECT_EQ(read_newer(R"({"model_type":"xlm-roberta"})")->architecture, &model::kRoberta);
}

TEST(NewerSources, ReadTheDistancesOfDeberta) {
  const auto config = read_newer(deberta(R"(,"position_buckets":256,"max_relative_positions":-1,
      "max_position_embeddings":512,"pos_att_type":"p2c|c2p","norm_rel_ebd":"layer_norm",
      "share_att_key":true,"type_vocab_size":0)"));
  ASSERT_TRUE(config) << describe(config.error());
  const model::EncoderFacts& facts = config->facts;
  EXPECT_EQ(facts.relative_buckets, 256U);
  EXPECT_EQ(facts.max_distance, 512U);
  EXPECT_EQ(facts.relative_span(), 256U);
  EXPECT_EQ(facts.score_parts(), 3U);
  EXPECT_TRUE(facts.share_relative);
  EXPECT_TRUE(facts.relative_norm);
  const auto plain = read_newer(deberta(R"(,"position_buckets":-1,"max_relative_positions":12,
      "pos_att_type":["c2p"],"norm_rel_ebd":"none")"));
  ASSERT_TRUE(plain) << describe(plain.error());
  EXPECT_EQ(plain->facts.relative_span(), 12U);
  EXPECT_EQ(plain->facts.score_parts(), 2U);
  EXPECT_FALSE(plain->facts.relative_norm);
}

TEST(NewerSources, ReadTheFeedForwardLayerOfT5) {
  const auto plain = read_newer(t5(R"(,"d_kv":32,"relative_attention_max_distance":99)"));
  ASSERT_TRUE(plain) << describe(plain.error());
  EXPECT_FALSE(plain->facts.gated);
  EXPECT_EQ(plain->hidden_act, "relu");
  EXPECT_EQ(plain->head_dim(), 32U);
  EXPECT_EQ(plain->facts.max_distance, 99U);
  // The flag follows from the form, whatever the file says.
  const auto gated = read_newer(t5(R"(,"feed_forward_proj":"gated-gelu","is_gated_act":false)"));
  ASSERT_TRUE(gated) << describe(gated.error());
  EXPECT_TRUE(gated->facts.gated);
  EXPECT_EQ(gated->hidden_act, "gelu_new");
  EXPECT_EQ(read_newer(t5(R"(,"feed_forward_proj":"gated-silu")"))->hidden_act, "silu");
}

TEST(NewerSources, RefuseSettingsThatChangeResultsByName) {
  const std::vector<std::pair<std::string, const char*>> kSettings = {
      {modernbert(R"(,"rope_scaling":{"rope_type":"yarn","factor":2})"), "rope_scaling"},
      {modernbert(R"(,"layer_types":["full_attention","full_attention"])"), "layer_types"},
      {modernbert(R"(,"rope_parameters":{"full_attention":{"rope_type":"yarn"}})"),
       "rope_parameters"},
      {modernbert(R"(,"hidden_activation":"mish")"), "hidden_activation"},
      {gte(R"(,"position_embedding_type":"absolute")"), "position_embedding_type"},
      {gte(R"(,"pack_qkv":false)"), "pack_qkv"},
      {gte(R"(,"layer_norm_type":"rms_norm")"), "layer_norm_type"},
      {gte(R"(,"logn_attention_scale":true)"), "logn_attention_scale"},
      {gte(R"(,"rope_scaling":{"type":"linear","factor":2})"), "rope_scaling"},
      {gte(R"(,"rope_scaling":{"type":"ntk","factor":2,"mixed_b":0.5})"), "rope_scaling"},
      {jina("jina-bert-implementation", R"(,"feed_forward_type":"original")"), "feed_forward_type"},
      {jina("jina-bert-implementation", ""), "feed_forward_type"},
      {R"({"model_type":"bert","auto_map":{"AutoModel":"jinaai/jina-bert-implementation--a.B"},
          "position_embedding_type":"absolute","feed_forward_type":"geglu"})",
       "position_embedding_type"},
      {jina_v3(R"(,"use_reg_tokens":true)"), "use_reg_tokens"},
      {R"({"model_type":"xlm-roberta","position_embedding_type":"absolute",
          "auto_map":{"AutoModel":"jinaai/xlm-roberta-flash-implementation--a.B"}})",
       "position_embedding_type"},
      {R"({"model_type":"deberta-v2"})", "relative_attention"},
      {R"({"model_type":"deberta-v2","relative_attention":true})", "position_biased_input"},
      {deberta(R"(,"conv_kernel_size":3)"), "conv_kernel_size"},
      {deberta(R"(,"embedding_size":128)"), "embedding_size"},
      {deberta(R"(,"attention_head_size":7)"), "attention_head_size"},
      {deberta(R"(,"pos_att_type":["p2p"])"), "pos_att_type"},
      {deberta(R"(,"pos_att_type":"c2p|")"), ""},
      {deberta(R"(,"norm_rel_ebd":"batch_norm")"), "norm_rel_ebd"},
      {t5(R"(,"feed_forward_proj":"silu")"), "feed_forward_proj"},
      {t5(R"(,"feed_forward_proj":"gated-tanh")"), "feed_forward_proj"}};
  for (const auto& [text, key] : kSettings) {
    const auto config = read_newer(text);
    if (*key == '\0') {
      EXPECT_TRUE(config) << text;
      continue;
    }
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, ErrorCode::Unsupported) << text;
    EXPECT_EQ(config.error().path, concat({"config.json.", key})) << text;
  }
}

TEST(NewerSources, RefuseHostileFacts) {
  const std::vector<std::pair<std::string, const char*>> kFacts = {
      {modernbert(R"(,"global_attn_every_n_layers":0)"), "global_attn_every_n_layers"},
      {modernbert(R"(,"local_attention":0)"), "local_attention"},
      {modernbert(R"(,"local_rope_theta":-5)"), "local_rope_theta"},
      {modernbert(R"(,"rope_parameters":{"full_attention":{"rope_theta":0}})"), "rope_parameters"},
      {gte(R"(,"rope_scaling":{"type":"ntk"})"), "rope_scaling"},
      {gte(R"(,"rope_scaling":{"type":"ntk","factor":0.5})"), "rope_scaling"},
      {gte(R"(,"rope_theta":0)"), "rope_theta"},
      {deberta(R"(,"position_buckets":1e30)"), "position_buckets"},
      {deberta(R"(,"position_buckets":4000000)"), "position_buckets"},
      {deberta(R"(,"max_relative_positions":4000000)"), "max_relative_positions"},
      {deberta(R"(,"position_buckets":3)"), "position_buckets"},
      {deberta(R"(,"position_buckets":256,"max_relative_positions":129)"),
       "max_relative_positions"},
      {t5(R"(,"d_kv":0)"), "d_kv"},
      {t5(R"(,"relative_attention_num_buckets":0)"), "relative_attention_num_buckets"},
      {t5(R"(,"relative_attention_max_distance":8)"), "relative_attention_max_distance"}};
  for (const auto& [text, key] : kFacts) {
    const auto config = read_newer(text);
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().code, ErrorCode::BadValue) << text;
    EXPECT_EQ(config.error().path, concat({"config.json.", key})) << text;
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
