#include "formats/huggingface/config/decoder_config_json.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace ambry::formats::huggingface {
namespace {

Result<DecoderDirectory> read(const std::string& config, std::string_view architecture = "") {
  SideFiles files;
  files.add("config.json", config);
  return read_decoder_config(files, architecture);
}

std::string value(const Result<DecoderDirectory>& read, std::string_view key) {
  if (!read) return describe(read.error());
  const io::Json* found = read->config.find(key);
  return found == nullptr ? "absent" : found->dump();
}

TEST(DecoderConfigJson, NamesFactsAsAmbDoes) {
  const auto gpt2 = read(R"({"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,
    "n_positions":1024,"layer_norm_epsilon":1e-5,"vocab_size":50257})");
  EXPECT_EQ(value(gpt2, "architecture"), "\"gpt2\"");
  EXPECT_EQ(value(gpt2, "n_embd"), "768");
  EXPECT_EQ(value(gpt2, "max_seq_len"), "1024");
  EXPECT_EQ(value(gpt2, "norm_eps"), "0.00001");
  EXPECT_EQ(value(gpt2, "tie_word_embeddings"), "true");
  EXPECT_EQ(value(gpt2, "n_ff"), "absent");
}

TEST(DecoderConfigJson, TakesPythonsInfinityForNoValue) {
  const auto limited = read(R"({"model_type":"llama","time_step_limit":[0.0,Infinity],
    "note":"\"Infinity","head_dim":8})");
  ASSERT_TRUE(limited) << describe(limited.error());
  EXPECT_EQ(limited->stated.find("time_step_limit")->dump(), "[0.0,null]");
  EXPECT_EQ(limited->stated.find("note")->dump(), R"("\"Infinity")");
  EXPECT_EQ(value(limited, "head_dim"), "8");
  EXPECT_FALSE(read(R"({"model_type":"llama","a":NaN})"));
}

TEST(DecoderConfigJson, UsesTheDefaultsOfTheLibrary) {
  EXPECT_EQ(value(read(R"({"model_type":"llama"})"), "norm_eps"), "0.000001");
  EXPECT_EQ(value(read(R"({"model_type":"llama"})"), "tie_word_embeddings"), "false");
  EXPECT_EQ(value(read(R"({"model_type":"phi"})"), "partial_rotary_factor"), "0.5");
  EXPECT_EQ(value(read(R"({"model_type":"gemma","hidden_act":"gelu"})"), "activation_fn"),
            "\"gelu_pytorch_tanh\"");
  EXPECT_EQ(value(read(R"({"model_type":"falcon"})"), "n_kv_heads"), "1");
  EXPECT_EQ(value(read(R"({"model_type":"falcon","multi_query":false})"), "n_kv_heads"), "absent");
  EXPECT_EQ(value(read(R"({"model_type":"falcon","new_decoder_architecture":true,
    "num_kv_heads":8})"),
                  "n_kv_heads"),
            "8");
  EXPECT_EQ(value(read(R"({"model_type":"falcon","alibi":true})"), "is_rope"), "false");
  EXPECT_EQ(value(read(R"({"model_type":"mpt","d_model":64,"expansion_ratio":4})"), "n_ff"), "256");
}

TEST(DecoderConfigJson, ReadsBothFormsOfRopeScaling) {
  const auto older = read(R"({"model_type":"llama","rope_theta":5e5,
    "rope_scaling":{"rope_type":"llama3","factor":8.0}})");
  EXPECT_EQ(value(older, "rope_scaling"), R"({"rope_type":"llama3","factor":8.0})");
  EXPECT_EQ(value(older, "rope_freq_base"), "500000.0");
  const auto newer = read(R"({"model_type":"llama",
    "rope_parameters":{"rope_type":"default","rope_theta":1000000.0}})");
  EXPECT_EQ(value(newer, "rope_scaling"), "absent");
  EXPECT_EQ(value(newer, "rope_freq_base"), "1000000.0");
}

TEST(DecoderConfigJson, HasAWindowOnlyWhereItIsTurnedOn) {
  constexpr const char* kQwen = R"({"model_type":"qwen2","num_hidden_layers":3,"sliding_window":8,
    "max_window_layers":2,"layer_types":null,"use_sliding_window":)";
  const auto off = read(std::string(kQwen) + "false}");
  EXPECT_EQ(value(off, "sliding_window"), "absent");
  EXPECT_EQ(value(off, "layer_types"), "absent");
  const auto on = read(std::string(kQwen) + "true}");
  EXPECT_EQ(value(on, "sliding_window"), "8");
  EXPECT_EQ(value(on, "layer_types"), R"(["full_attention","full_attention","sliding_attention"])");
}

TEST(DecoderConfigJson, StatesDivisorsAsFactors) {
  EXPECT_EQ(value(read(R"({"model_type":"gemma2","query_pre_attn_scalar":256})"), "attn_scale"),
            "0.0625");
  const auto granite = read(R"({"model_type":"granite","logits_scaling":8.0,
    "attention_multiplier":0.25,"embedding_multiplier":12.0,"residual_multiplier":0.22})");
  EXPECT_EQ(value(granite, "logit_scale"), "0.125");
  EXPECT_EQ(value(granite, "attn_scale"), "0.25");
  EXPECT_EQ(value(granite, "embed_scale"), "12.0");
  EXPECT_EQ(value(granite, "residual_scale"), "0.22");
  const auto gptj = read(R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":64,
    "n_inner":null})");
  EXPECT_EQ(value(gptj, "partial_rotary_factor"), "0.25");
  EXPECT_EQ(value(gptj, "n_ff"), "16384");
}

TEST(DecoderConfigJson, ReadsTheRotationOfBothKindsOfLayers) {
  const auto older = read(R"({"model_type":"gemma3_text","rope_theta":1000000.0,
    "rope_local_base_freq":10000.0,"rope_scaling":{"rope_type":"linear","factor":8.0}})");
  const auto newer = read(R"({"model_type":"gemma3_text","rope_parameters":{
    "full_attention":{"rope_type":"linear","factor":8.0,"rope_theta":1000000.0},
    "sliding_attention":{"rope_type":"default","rope_theta":10000.0}}})");
  for (const auto& made : {std::cref(older), std::cref(newer)}) {
    EXPECT_EQ(value(made, "architecture"), "\"gemma3\"");
    EXPECT_EQ(value(made, "rope_freq_base"), "1000000.0");
    EXPECT_EQ(value(made, "rope_local_freq_base"), "10000.0");
  }
  EXPECT_EQ(value(newer, "rope_scaling"),
            R"({"rope_type":"linear","factor":8.0,"rope_theta":1000000.0})");
}

// As gte-Qwen2-1.5B-instruct states it.
TEST(DecoderConfigJson, TokensMaySeeThoseAfterThem) {
  const auto gte = read(R"({"model_type":"qwen2","architectures":["Qwen2ForCausalLM"],
    "auto_map":{"AutoModel":"modeling_qwen.Qwen2Model"},"bos_token_id":151643,
    "eos_token_id":151643,"hidden_act":"silu","hidden_size":1536,"intermediate_size":8960,
    "is_causal":false,"max_position_embeddings":131072,"max_window_layers":21,
    "num_attention_heads":12,"num_hidden_layers":28,"num_key_value_heads":2,"rms_norm_eps":1e-06,
    "rope_theta":1000000.0,"sliding_window":131072,"tie_word_embeddings":false,
    "use_sliding_window":false,"vocab_size":151646})");
  EXPECT_EQ(value(gte, "bidirectional_attention"), "true");
  EXPECT_EQ(value(gte, "sliding_window"), "absent");
  EXPECT_EQ(value(read(R"({"model_type":"qwen2","is_causal":true})"), "bidirectional_attention"),
            "absent");
}

TEST(DecoderConfigJson, RejectsUnsupportedSettingsByName) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"model_type":"dbrx"})", "config.json.model_type"},
      {R"({"model_type":"qwen3_next"})", "config.json.model_type"},
      {R"({"model_type":"gemma3"})", "config.json.model_type"},
      {R"({"model_type":"qwen3","num_experts":8})", "config.json.num_experts"},
      {R"({"model_type":"stablelm","qk_layernorm":true})", "config.json.qk_layernorm"},
      {R"({"model_type":"gemma2","use_bidirectional_attention":true})",
       "config.json.use_bidirectional_attention"},
      {R"({"model_type":"gemma2","sliding_window":4096,"is_causal":false})",
       "config.json.is_causal"},
      {R"({})", "config.json.model_type"},
      {R"({"model_type":"llama","quantization_config":{"bits":4}})",
       "config.json.quantization_config"},
      {R"({"model_type":"gpt2","scale_attn_weights":false})", "config.json.scale_attn_weights"},
      {R"({"model_type":"gpt2","scale_attn_by_inverse_layer_idx":true})",
       "config.json.scale_attn_by_inverse_layer_idx"},
      {R"({"model_type":"phi","qk_layernorm":true})", "config.json.qk_layernorm"},
      {R"({"model_type":"mpt","attn_config":{"clip_qkv":8}})", "config.json.clip_qkv"},
      {R"({"model_type":"mpt","attn_config":{"qk_ln":true}})", "config.json.qk_ln"},
      {R"({"model_type":"mpt","logit_scale":0.5})", "config.json.logit_scale"},
      {R"({"model_type":"minicpm","sparse_config":{"topk":64}})", "config.json.sparse_config"}};
  for (const auto& [config, path] : rows) {
    const auto refused = read(config);
    ASSERT_FALSE(refused) << config;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().path, path);
  }
  EXPECT_EQ(read_decoder_config({}, "").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace ambry::formats::huggingface
