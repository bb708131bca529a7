// Facts of published config.json files of mixtures of experts.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/published_config.h"

namespace ambry::formats::huggingface {
namespace {

using testing::published;

TEST(PublishedExperts, GraniteWithExperts) {
  const auto facts = published(R"({"architectures": ["GraniteMoeForCausalLM"],
    "model_type": "granitemoe", "attention_bias": false, "attention_multiplier": 0.015625,
    "embedding_multiplier": 12.0, "hidden_act": "silu", "hidden_size": 1024,
    "intermediate_size": 512, "logits_scaling": 6.0, "max_position_embeddings": 4096,
    "num_attention_heads": 16, "num_experts_per_tok": 8, "num_hidden_layers": 24,
    "num_key_value_heads": 8, "num_local_experts": 32, "output_router_logits": false,
    "residual_multiplier": 0.22, "rms_norm_eps": 1e-06, "rope_scaling": null,
    "rope_theta": 10000, "router_aux_loss_coef": 0.0, "tie_word_embeddings": true,
    "vocab_size": 49155})");
  EXPECT_EQ(facts.experts,
            (model::ExpertConfig{.count = 32, .used = 8, .n_ff = 512, .normalize = true}));
  EXPECT_EQ(facts.embed_scale, 12);
  EXPECT_EQ(facts.attn_scale, 0.015625);
  EXPECT_EQ(facts.residual_scale, 0.22);
  EXPECT_NEAR(facts.logit_scale, 1 / 6.0, 1e-12);
}

TEST(PublishedExperts, Olmoe) {
  const std::string config = R"({"architectures": ["OlmoeForCausalLM"], "model_type": "olmoe",
    "attention_bias": false, "clip_qkv": null, "hidden_act": "silu", "hidden_size": 2048,
    "intermediate_size": 1024, "max_position_embeddings": 4096, "norm_topk_prob": false,
    "num_attention_heads": 16, "num_experts": 64, "num_experts_per_tok": 8,
    "num_hidden_layers": 16, "num_key_value_heads": 16, "rms_norm_eps": 1e-05,
    "rope_scaling": null, "rope_theta": 10000.0, "router_aux_loss_coef": 0.01,
    "tie_word_embeddings": false, "vocab_size": 50304})";
  EXPECT_EQ(published(config).experts, (model::ExpertConfig{.count = 64, .used = 8, .n_ff = 1024}));
  std::string clipped = config;
  clipped.replace(clipped.find("null"), 4, "8.0");
  SideFiles files;
  files.add("config.json", clipped);
  const auto refused = read_decoder_config(files, "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "config.json.clip_qkv");
}

TEST(PublishedExperts, Qwen3WithExperts) {
  const auto facts = published(R"({"architectures": ["Qwen3MoeForCausalLM"],
    "model_type": "qwen3_moe", "attention_bias": false, "decoder_sparse_step": 1,
    "head_dim": 128, "hidden_act": "silu", "hidden_size": 2048, "intermediate_size": 6144,
    "max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [],
    "moe_intermediate_size": 768, "norm_topk_prob": true, "num_attention_heads": 32,
    "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48,
    "num_key_value_heads": 4, "rms_norm_eps": 1e-06, "rope_scaling": null,
    "rope_theta": 1000000.0, "router_aux_loss_coef": 0.001, "sliding_window": null,
    "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 151936})");
  EXPECT_EQ(facts.experts,
            (model::ExpertConfig{.count = 128, .used = 8, .n_ff = 768, .normalize = true}));
  EXPECT_EQ(facts.head_dim, 128U);
  EXPECT_FALSE(facts.sliding_window);
}

TEST(PublishedExperts, Mixtral) {
  const auto facts = published(R"({"architectures": ["MixtralForCausalLM"],
    "model_type": "mixtral", "attention_dropout": 0.0, "hidden_act": "silu",
    "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
    "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "num_local_experts": 8, "output_router_logits": false,
    "rms_norm_eps": 1e-05, "rope_theta": 1000000.0, "router_aux_loss_coef": 0.02,
    "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 32000})");
  EXPECT_EQ(facts.experts,
            (model::ExpertConfig{.count = 8, .used = 2, .n_ff = 14336, .normalize = true}));
}

TEST(PublishedExperts, Lfm2WithExperts) {
  const auto facts = published(R"({"architectures": ["Lfm2MoeForCausalLM"],
    "model_type": "lfm2_moe", "conv_L_cache": 3, "conv_bias": false, "hidden_size": 2048,
    "intermediate_size": 7168, "layer_types": ["conv", "conv", "full_attention", "conv", "conv",
      "conv", "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv", "conv",
      "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv",
      "full_attention", "conv", "conv"],
    "max_position_embeddings": 128000, "moe_intermediate_size": 1792, "norm_eps": 1e-05,
    "norm_topk_prob": true, "num_attention_heads": 32, "num_dense_layers": 2,
    "num_experts": 32, "num_experts_per_tok": 4, "num_hidden_layers": 24,
    "num_key_value_heads": 8, "rope_theta": 1000000.0, "routed_scaling_factor": 1.0,
    "use_expert_bias": true, "vocab_size": 65536})");
  EXPECT_EQ(facts.experts, (model::ExpertConfig{.count = 32,
                                                .used = 4,
                                                .n_ff = 1792,
                                                .first_layer = 2,
                                                .sigmoid = true,
                                                .normalize = true}));
  EXPECT_EQ(facts.n_ff, 7168U);
  EXPECT_TRUE(facts.tie_word_embeddings);
  EXPECT_EQ(facts.conv_taps, 3U);
}

}  // namespace
}  // namespace ambry::formats::huggingface
