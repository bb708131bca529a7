// Configs of published mixtures of experts beside a part that all tokens take.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/decoder_config_json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::huggingface {
namespace {

using model::ExpertConfig;

model::DecoderConfig shared_facts(const std::string& config) {
  SideFiles files;
  files.add("config.json", config);
  const auto read = read_decoder_config(files, "");
  EXPECT_TRUE(read) << describe(read.error());
  if (!read) return {};
  model::Model model;
  model.config = read->config;
  io::Diagnostics diagnostics;
  const auto facts = model::decoder_config(model, diagnostics);
  EXPECT_TRUE(facts) << describe(facts.error());
  return facts ? *facts : model::DecoderConfig();
}

std::string path_of_refusal(const std::string& config) {
  SideFiles files;
  files.add("config.json", config);
  const auto read = read_decoder_config(files, "");
  EXPECT_FALSE(read);
  return read ? "" : read.error().path;
}

std::string types_of(size_t n, size_t every, const char* usual, const char* other) {
  std::string list;
  for (size_t i = 1; i <= n; ++i) {
    list += std::string(i == 1 ? "\"" : ", \"") + (i % every == 0 ? other : usual) + "\"";
  }
  return "[" + list + "]";
}

constexpr const char* kQwen = R"({"architectures": ["Qwen2MoeForCausalLM"],
    "model_type": "qwen2_moe", "decoder_sparse_step": 1, "hidden_act": "silu", "hidden_size": 2048,
    "intermediate_size": 5632, "max_position_embeddings": 8192, "max_window_layers": 21,
    "moe_intermediate_size": 1408, "norm_topk_prob": false, "num_attention_heads": 16,
    "num_experts": 60, "num_experts_per_tok": 4, "num_hidden_layers": 24,
    "num_key_value_heads": 16, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
    "shared_expert_intermediate_size": 5632, "sliding_window": 32768,
    "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 151936)";

TEST(SharedExperts, Qwen2) {
  const auto facts = shared_facts(std::string(kQwen) + "}");
  EXPECT_EQ(facts.experts, (ExpertConfig{.count = 60, .used = 4, .n_ff = 1408, .shared = true}));
  EXPECT_EQ(facts.n_ff, 5632U);
  EXPECT_FALSE(facts.sliding_window);
}

TEST(SharedExperts, Qwen2InOtherArrangementsIsRefused) {
  const std::string text = kQwen;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string config = text + "}";
    config.replace(config.find(from), from.size(), to);
    return config;
  };
  EXPECT_EQ(
      path_of_refusal(changed(R"("use_sliding_window": false)", R"("use_sliding_window": true)")),
      "config.json.use_sliding_window");
  SideFiles files;
  files.add("config.json", changed(R"("decoder_sparse_step": 1)", R"("decoder_sparse_step": 2)"));
  const auto read = read_decoder_config(files, "");
  ASSERT_TRUE(read);
  model::Model model;
  model.config = read->config;
  io::Diagnostics diagnostics;
  const auto refused = model::decoder_config(model, diagnostics);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "config.decoder_sparse_step");
}

TEST(SharedExperts, Qwen35) {
  const auto facts = shared_facts(
      R"({"architectures": ["Qwen3_5MoeForConditionalGeneration"], "model_type": "qwen3_5_moe",
    "vision_config": {"model_type": "qwen3_5_moe"}, "tie_word_embeddings": false,
    "text_config": {"model_type": "qwen3_5_moe_text", "attention_bias": false,
      "attn_output_gate": true, "full_attention_interval": 4, "head_dim": 256,
      "hidden_act": "silu", "hidden_size": 2048, "linear_conv_kernel_dim": 4,
      "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
      "linear_value_head_dim": 128, "max_position_embeddings": 262144,
      "moe_intermediate_size": 512, "num_attention_heads": 16, "num_experts": 256,
      "num_experts_per_tok": 8, "num_hidden_layers": 40, "num_key_value_heads": 2,
      "rms_norm_eps": 1e-06, "shared_expert_intermediate_size": 512, "vocab_size": 248320,
      "rope_parameters": {"mrope_interleaved": true, "mrope_section": [11, 11, 10],
        "partial_rotary_factor": 0.25, "rope_theta": 10000000, "rope_type": "default"}}})");
  EXPECT_EQ(
      facts.experts,
      (ExpertConfig{.count = 256, .used = 8, .n_ff = 512, .normalize = true, .shared = true}));
  EXPECT_EQ(facts.kind_of(2), model::LayerKind::GatedDelta);
  EXPECT_EQ(facts.kind_of(3), model::LayerKind::Attention);
  EXPECT_EQ(facts.n_rotated, 64U);
}

std::string granite(const std::string& experts, const std::string& types) {
  return R"({"architectures": ["GraniteMoeHybridForCausalLM"], "model_type": "granitemoehybrid",
    "attention_bias": false, "attention_multiplier": 0.0078125, "embedding_multiplier": 12,
    "hidden_act": "silu", "hidden_size": 1536, "intermediate_size": 512, "logits_scaling": 6,
    "mamba_conv_bias": true, "mamba_d_conv": 4, "mamba_d_head": 64, "mamba_d_state": 128,
    "mamba_expand": 2, "mamba_n_groups": 1, "mamba_n_heads": 48, "mamba_proj_bias": false,
    "max_position_embeddings": 131072, "num_attention_heads": 12, "num_hidden_layers": 40,
    "num_key_value_heads": 4, "position_embedding_type": "nope", "residual_multiplier": 0.22,
    "rms_norm_eps": 1e-05, "rope_theta": 10000, "tie_word_embeddings": true,
    "vocab_size": 100352, )" +
         experts + R"(, "layer_types": )" + types + "}";
}

TEST(SharedExperts, Granite4) {
  const std::string mamba = types_of(40, 10, "mamba", "attention");
  const auto facts = shared_facts(granite(
      R"("num_local_experts": 64, "num_experts_per_tok": 6, "shared_intermediate_size": 1024)",
      mamba));
  EXPECT_EQ(facts.experts,
            (ExpertConfig{.count = 64, .used = 6, .n_ff = 512, .normalize = true, .shared = true}));
  EXPECT_EQ(facts.n_ff, 1024U);
  EXPECT_EQ(
      path_of_refusal(granite(
          R"("num_local_experts": 64, "num_experts_per_tok": 6, "shared_intermediate_size": 0)",
          mamba)),
      "config.json.shared_intermediate_size");
  EXPECT_EQ(path_of_refusal(granite(R"("num_local_experts": 64, "num_experts_per_tok": 6)",
                                    types_of(40, 1, "mamba", "attention"))),
            "config.json.num_local_experts");
}

TEST(SharedExperts, Gemma4) {
  const auto facts = shared_facts(
      R"({"architectures": ["Gemma4ForConditionalGeneration"], "model_type": "gemma4",
    "vision_config": {"model_type": "gemma4_vision"}, "text_config": {"model_type": "gemma4_text",
      "attention_bias": false, "attention_k_eq_v": true, "enable_moe_block": true,
      "final_logit_softcapping": 30.0, "global_head_dim": 512, "head_dim": 256,
      "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 2816,
      "hidden_size_per_layer_input": 0, "intermediate_size": 2112,
      "max_position_embeddings": 262144, "moe_intermediate_size": 704, "num_attention_heads": 16,
      "num_experts": 128, "num_global_key_value_heads": 2, "num_hidden_layers": 30,
      "num_key_value_heads": 8, "num_kv_shared_layers": 0, "rms_norm_eps": 1e-06,
      "sliding_window": 1024, "top_k_experts": 8, "use_double_wide_mlp": false,
      "vocab_size": 262144, "layer_types": )" +
      types_of(30, 6, "sliding_attention", "full_attention") + "}}");
  EXPECT_EQ(
      facts.experts,
      (ExpertConfig{
          .count = 128, .used = 8, .n_ff = 704, .normalize = true, .shared = true, .norms = true}));
  EXPECT_EQ(facts.n_ff, 2112U);
}

}  // namespace
}  // namespace ambry::formats::huggingface
