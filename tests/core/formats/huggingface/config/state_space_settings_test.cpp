// Facts of published config.json files of models with state spaces, and what is refused.
#include "formats/huggingface/config/state_space_settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "formats/huggingface/config/decoder_config_json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::huggingface {
namespace {

using model::LayerKind;

Result<model::DecoderConfig> facts_of(const std::string& config) {
  SideFiles files;
  files.add("config.json", config);
  AMBRY_TRY(auto read, read_decoder_config(files, ""));
  model::Model model;
  model.config = std::move(read.config);
  io::Diagnostics diagnostics;
  return model::decoder_config(model, diagnostics);
}

model::DecoderConfig published_space(const std::string& config) {
  auto facts = facts_of(config);
  EXPECT_TRUE(facts) << describe(facts.error());
  return facts ? *std::move(facts) : model::DecoderConfig();
}

// Every `period`-th layer attends, from layer `first` on.
std::string granite_types(int n, int first, int period) {
  std::string types = "[";
  for (int i = 0; i < n; ++i) {
    const bool attends = i >= first && (i - first) % period == 0;
    types += std::string(i == 0 ? "" : ",") + (attends ? R"("attention")" : R"("mamba")");
  }
  return types + "]";
}

std::string granite(const std::string& more) {
  return R"({"architectures": ["GraniteMoeHybridForCausalLM"], "model_type": "granitemoehybrid",
    "attention_bias": false, "hidden_act": "silu", "mamba_chunk_size": 256, "mamba_conv_bias": true,
    "mamba_d_conv": 4, "mamba_d_state": 128, "mamba_expand": 2, "mamba_n_groups": 1,
    "mamba_proj_bias": false, "max_position_embeddings": 131072, "num_experts_per_tok": 0,
    "num_local_experts": 0, "position_embedding_type": "nope", "embedding_multiplier": 12,
    "normalization_function": "rmsnorm", "residual_multiplier": 0.22, "rms_norm_eps": 1e-05,
    "rope_scaling": null, "rope_theta": 10000, "router_aux_loss_coef": 0.0,
    "tie_word_embeddings": true, "vocab_size": 100352, )" +
         more + "}";
}

const std::string kHMicro = R"("attention_multiplier": 0.015625, "hidden_size": 2048,
    "intermediate_size": 8192, "logits_scaling": 8, "mamba_d_head": 64, "mamba_n_heads": 64,
    "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
    "shared_intermediate_size": 8192, "layer_types": )" +
                            granite_types(40, 5, 10);

TEST(StateSpaceSettings, Granite4HMicro) {
  const auto facts = published_space(granite(kHMicro));
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::GraniteHybrid);
  EXPECT_EQ(facts.positions, model::DecoderPositions::None);
  EXPECT_EQ(facts.kind_of(4), LayerKind::StateSpace);
  EXPECT_EQ(facts.kind_of(5), LayerKind::Attention);
  EXPECT_EQ(facts.kind_of(35), LayerKind::Attention);
  EXPECT_EQ(facts.n_ff, 8192U);
  EXPECT_EQ(facts.state_space.width(), 4096U);
  EXPECT_EQ(facts.state_space.channels(), 4352U);
  EXPECT_EQ(facts.state_space.input_width(), 8512U);
  EXPECT_EQ(facts.conv_taps, 4U);
  EXPECT_EQ(facts.logit_scale, 0.125);
  EXPECT_TRUE(facts.state_norm);
  EXPECT_TRUE(facts.conv_bias);
}

TEST(StateSpaceSettings, Granite4HNano) {
  const auto facts = published_space(granite(R"("attention_multiplier": 0.015625,
    "hidden_size": 768, "intermediate_size": 2048, "logits_scaling": 3, "mamba_d_head": "auto",
    "mamba_n_heads": 48, "num_attention_heads": 12, "num_hidden_layers": 32,
    "num_key_value_heads": 4, "shared_intermediate_size": 2048, "layer_types": )" +
                                             granite_types(32, 10, 7)));
  EXPECT_EQ(facts.state_space.head_dim, 32U);
  EXPECT_EQ(facts.head_dim, 64U);
  EXPECT_EQ(facts.state_space.step_max, 0);
}

TEST(StateSpaceSettings, FalconH1) {
  const auto facts = published_space(R"({"architectures": ["FalconH1ForCausalLM"],
    "model_type": "falcon_h1", "attention_bias": false, "attention_in_multiplier": 1.0,
    "attention_out_multiplier": 0.9375, "embedding_multiplier": 5.656854249492381, "head_dim": 64,
    "hidden_act": "silu", "hidden_size": 1024, "intermediate_size": 2048,
    "key_multiplier": 0.390625, "lm_head_multiplier": 0.0390625, "mamba_chunk_size": 128,
    "mamba_conv_bias": true, "mamba_d_conv": 4, "mamba_d_head": 64, "mamba_d_ssm": 1536,
    "mamba_d_state": 128, "mamba_expand": 2, "mamba_n_groups": 1, "mamba_n_heads": 24,
    "mamba_norm_before_gate": false, "mamba_proj_bias": false, "mamba_rms_norm": false,
    "mamba_use_mlp": true, "max_position_embeddings": 16384, "mlp_bias": false,
    "mlp_multipliers": [0.8838834764831844, 0.5859375], "num_attention_heads": 8,
    "num_hidden_layers": 36, "num_key_value_heads": 2, "projectors_bias": false,
    "rms_norm_eps": 1e-05, "rope_scaling": null, "rope_theta": 100000000000.0,
    "ssm_in_multiplier": 1.25, "ssm_multipliers": [0.3535533905932738, 0.25, 0.3535533905932738,
      0.5, 0.3535533905932738], "ssm_out_multiplier": 0.23570226039551587,
    "time_step_floor": 0.0001, "time_step_limit": [0.0, {"__float__": "Infinity"}],
    "tie_word_embeddings": false, "vocab_size": 32784})");
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::FalconH1);
  EXPECT_EQ(facts.kind_of(35), LayerKind::AttentionAndStateSpace);
  EXPECT_EQ(facts.state_space.width(), 1536U);
  EXPECT_EQ(facts.state_space.scales[1], 0.3125);
  EXPECT_EQ(facts.state_space.step_max, 0);
  EXPECT_EQ(facts.attn_scale, 0.390625 / 8);
  EXPECT_EQ(facts.attn_out_scale, 0.9375);
  EXPECT_EQ(facts.mlp_out_scale, 0.5859375);
  EXPECT_EQ(facts.logit_scale, 0.0390625);
  EXPECT_EQ(facts.rope_freq_base, 1e11);
  EXPECT_FALSE(facts.state_norm);
}

std::string nemotron(const std::string& more) {
  return R"({"architectures": ["NemotronHForCausalLM"], "model_type": "nemotron_h",
    "attention_bias": false, "attention_head_dim": 128, "chunk_size": 128, "conv_kernel": 4,
    "expand": 2, "hidden_size": 3072, "intermediate_size": 12288, "layer_norm_epsilon": 1e-05,
    "mamba_head_dim": 64, "mamba_hidden_act": "silu", "mamba_num_heads": 112,
    "mamba_proj_bias": false, "max_position_embeddings": 8192, "mlp_bias": false,
    "mlp_hidden_act": "relu2", "n_groups": 8, "num_attention_heads": 32,
    "num_key_value_heads": 8, "residual_in_fp32": false, "rms_norm_eps": 1e-05,
    "sliding_window": null, "ssm_state_size": 128, "tie_word_embeddings": false,
    "time_step_limit": [0.0, Infinity], "use_bias": false, "use_conv_bias": true,
    "vocab_size": 131072, )" +
         more + "}";
}

TEST(StateSpaceSettings, NemotronH4B) {
  const auto facts = published_space(nemotron(R"("num_hidden_layers": 52,
    "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-")"));
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::NemotronH);
  EXPECT_EQ(facts.activation, model::DecoderActivation::ReluSquared);
  EXPECT_FALSE(facts.gated);
  EXPECT_EQ(facts.positions, model::DecoderPositions::None);
  EXPECT_EQ(facts.kind_of(0), LayerKind::StateSpace);
  EXPECT_EQ(facts.kind_of(7), LayerKind::Attention);
  EXPECT_FALSE(facts.has_mlp(7));
  EXPECT_TRUE(facts.has_mlp(8));
  EXPECT_EQ(facts.head_dim, 128U);
  EXPECT_EQ(facts.state_space.width(), 7168U);
  EXPECT_EQ(facts.state_space.groups, 8U);
}

TEST(StateSpaceSettings, LayersMayBeWords) {
  const auto facts = published_space(
      nemotron(R"("layers_block_type": ["linear_attention", "mlp", "full_attention"])"));
  EXPECT_EQ(facts.n_layers, 3U);
  EXPECT_EQ(facts.kind_of(0), LayerKind::StateSpace);
  EXPECT_EQ(facts.kind_of(1), LayerKind::None);
  EXPECT_EQ(facts.kind_of(2), LayerKind::Attention);
}

TEST(StateSpaceSettings, WhatDoesNotFitIsRefusedByName) {
  struct Bad {
    std::string config;
    ErrorCode code;
    const char* path;
  };
  const std::string types = R"("layer_types": ["mamba", "attention"], "num_hidden_layers": 2,
    "num_attention_heads": 4, "hidden_size": 64, "shared_intermediate_size": 8)";
  const Bad kBad[] = {
      {granite(types + R"(, "mamba_n_heads": 3)"), ErrorCode::BadValue, "config.json.mamba_expand"},
      {granite(types + R"(, "mamba_n_heads": 0)"), ErrorCode::BadValue, "config.ssm_heads"},
      {granite(types + R"(, "mamba_n_heads": 4, "mamba_d_head": 16)"), ErrorCode::BadValue,
       "config.json.mamba_expand"},
      {granite(types + R"(, "time_step_limit": [0.5])"), ErrorCode::BadValue,
       "config.json.time_step_limit"},
      {granite(types + R"(, "time_step_limit": [0.5, 0.25])"), ErrorCode::BadValue,
       "config.ssm_step_max"},
      {nemotron(R"("num_hidden_layers": 2, "hybrid_override_pattern": "ME")"),
       ErrorCode::Unsupported, "config.json.hybrid_override_pattern"},
      {nemotron(R"("num_hidden_layers": 2, "hybrid_override_pattern": "M*-")"), ErrorCode::BadValue,
       "config.layer_types"},
      {nemotron(R"("num_hidden_layers": 2, "layers_block_type": ["mamba", "moe"])"),
       ErrorCode::Unsupported, "config.layer_types"},
      {nemotron(R"("num_hidden_layers": 2, "hybrid_override_pattern": "M*",
        "n_routed_experts": 128)"),
       ErrorCode::Unsupported, "config.json.n_routed_experts"}};
  for (const Bad& bad : kBad) {
    const auto facts = facts_of(bad.config);
    ASSERT_FALSE(facts) << bad.config;
    EXPECT_EQ(facts.error().code, bad.code) << describe(facts.error());
    EXPECT_EQ(facts.error().path, bad.path) << describe(facts.error());
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
