// Facts of published config.json files of language models, and what decoders make of them.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/published_config.h"

namespace ambry::formats::huggingface {
namespace {

using testing::list_of;
using testing::published;

TEST(PublishedDecoders, MiniCpm4) {
  const std::string factors = list_of("1.25", 32);
  const auto facts = published(R"({"architectures": ["MiniCPMForCausalLM"], "model_type": "minicpm",
    "bos_token_id": 1, "eos_token_id": [2, 73440], "hidden_act": "silu", "hidden_size": 1024,
    "intermediate_size": 4096, "max_position_embeddings": 32768, "num_attention_heads": 16,
    "num_hidden_layers": 24, "num_key_value_heads": 2, "rms_norm_eps": 1e-05, "vocab_size": 73448,
    "rope_scaling": {"rope_type": "longrope", "original_max_position_embeddings": 32768,
      "long_factor": )" + factors +
                               R"(, "short_factor": )" + factors + R"(},
    "scale_emb": 12, "dim_model_base": 256, "scale_depth": 1.4, "mup_denominator": 32})");
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::MiniCpm);
  EXPECT_TRUE(facts.tie_word_embeddings);
  EXPECT_EQ(facts.embed_scale, 12);
  EXPECT_NEAR(facts.residual_scale, 0.2857738033, 1e-9);
  EXPECT_EQ(facts.logit_scale, 0.25);
  EXPECT_EQ(facts.rope_scaling.kind, model::RopeScaling::Kind::LongRope);
  EXPECT_EQ(model::rope_magnitude(facts.rope_scaling, facts.max_seq_len), 1);
}

// Values that a file leaves out, and null, which turns a scale off.
TEST(PublishedDecoders, MiniCpmHasScalesOfItsOwn) {
  const std::string sizes =
      R"({"model_type": "minicpm", "hidden_size": 2304, "num_hidden_layers": 40,
    "num_attention_heads": 36, "intermediate_size": 5760, "vocab_size": 122753,
    "max_position_embeddings": 2048)";
  const auto usual = published(sizes + "}");
  EXPECT_EQ(usual.embed_scale, 12);
  EXPECT_NEAR(usual.residual_scale, 0.2213594362, 1e-9);
  EXPECT_NEAR(usual.logit_scale, 1 / 9.0, 1e-9);
  const auto off = published(sizes + R"(, "scale_depth": null, "dim_model_base": null})");
  EXPECT_EQ(off.residual_scale, 1);
  EXPECT_EQ(off.logit_scale, 1);
}

TEST(PublishedDecoders, Ministral3) {
  const auto facts = published(R"({"architectures": ["Mistral3ForConditionalGeneration"],
    "model_type": "mistral3", "image_token_index": 10, "projector_hidden_act": "gelu",
    "vision_feature_layer": -1, "vision_config": {"model_type": "pixtral", "head_dim": 64},
    "text_config": {"model_type": "ministral3", "head_dim": 128, "hidden_act": "silu",
      "hidden_size": 3072, "intermediate_size": 9216, "max_position_embeddings": 262144,
      "num_attention_heads": 32, "num_hidden_layers": 26, "num_key_value_heads": 8,
      "rms_norm_eps": 1e-05, "sliding_window": null, "tie_word_embeddings": true,
      "vocab_size": 131072, "rope_parameters": {"beta_fast": 32.0, "beta_slow": 1.0,
        "factor": 16.0, "llama_4_scaling_beta": 0.1, "mscale": 1.0, "mscale_all_dim": 1.0,
        "original_max_position_embeddings": 16384, "rope_theta": 1000000.0, "rope_type": "yarn",
        "type": "yarn"}}})");
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::Ministral3);
  EXPECT_EQ(facts.head_dim, 128U);
  EXPECT_TRUE(facts.tie_word_embeddings);
  EXPECT_EQ(facts.rope_scaling.kind, model::RopeScaling::Kind::Yarn);
  EXPECT_EQ(model::rope_magnitude(facts.rope_scaling, facts.max_seq_len), 1);
  EXPECT_EQ(facts.attn_temperature_scale, 0.1);
  EXPECT_EQ(facts.attn_temperature_length, 16384U);
  EXPECT_FALSE(facts.sliding_window);
}

TEST(PublishedDecoders, Olmo3) {
  std::string types = "[";
  for (int layer = 1; layer <= 32; ++layer) {
    types += layer % 4 == 0 ? R"("full_attention")" : R"("sliding_attention")";
    types += layer == 32 ? "]" : ",";
  }
  const auto facts = published(R"({"architectures": ["Olmo3ForCausalLM"], "model_type": "olmo3",
    "attention_bias": false, "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 11008,
    "max_position_embeddings": 65536, "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 32, "rms_norm_eps": 1e-06, "rope_theta": 500000, "sliding_window": 4096,
    "rope_scaling": {"attention_factor": 1.2079441541679836, "beta_fast": 32.0, "beta_slow": 1.0,
      "factor": 8.0, "original_max_position_embeddings": 8192, "rope_type": "yarn"},
    "tie_word_embeddings": false, "vocab_size": 100278, "layer_types": )" +
                               types + "}");
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::Olmo3);
  EXPECT_EQ(facts.window_of(0), 4096U);
  EXPECT_EQ(facts.window_of(3), 0U);
  EXPECT_EQ(facts.rope_local_freq_base, 500'000);
  EXPECT_NEAR(model::rope_magnitude(facts.rope_scaling, facts.max_seq_len), 1.2079441542, 1e-9);
  EXPECT_TRUE(facts.is_rotated(0));
  EXPECT_TRUE(facts.is_rotated(3));
}

TEST(PublishedDecoders, Granite4WithoutMamba) {
  const std::string config = R"({"architectures": ["GraniteMoeHybridForCausalLM"],
    "model_type": "granitemoehybrid", "attention_bias": false, "attention_multiplier": 0.015625,
    "embedding_multiplier": 12, "hidden_act": "silu", "hidden_size": 2560,
    "intermediate_size": 8192, "logits_scaling": 10, "mamba_d_conv": 4, "mamba_n_heads": 128,
    "max_position_embeddings": 131072, "num_attention_heads": 40, "num_experts_per_tok": 0,
    "num_hidden_layers": 40, "num_key_value_heads": 8, "num_local_experts": 0,
    "residual_multiplier": 0.22, "rms_norm_eps": 1e-05, "rope_scaling": null,
    "rope_theta": 10000000, "shared_intermediate_size": 8192, "tie_word_embeddings": true,
    "vocab_size": 100352, "layer_types": )" +
                             list_of(R"("attention")", 40) + R"(, "position_embedding_type": )";
  const auto rotated = published(config + R"("rope"})");
  EXPECT_EQ(rotated.architecture, model::DecoderArchitecture::Granite);
  EXPECT_EQ(rotated.positions, model::DecoderPositions::Rope);
  EXPECT_EQ(rotated.rope_freq_base, 1e7);
  EXPECT_EQ(rotated.n_ff, 8192U);
  EXPECT_EQ(rotated.attn_scale, 0.015625);
  EXPECT_EQ(rotated.logit_scale, 0.1);
  EXPECT_FALSE(rotated.sliding_window);
  EXPECT_EQ(published(config + R"("nope"})").positions, model::DecoderPositions::None);
  EXPECT_EQ(published(config + "null}").positions, model::DecoderPositions::None);
}

TEST(PublishedDecoders, Exaone4) {
  const auto small = published(R"({"architectures": ["Exaone4ForCausalLM"],
    "model_type": "exaone4", "head_dim": 64, "hidden_act": "silu", "hidden_size": 2048,
    "intermediate_size": 4096, "max_position_embeddings": 65536, "num_attention_heads": 32,
    "num_hidden_layers": 30, "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
    "rope_scaling": {"factor": 16.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
      "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 1000000,
    "sliding_window": null, "sliding_window_pattern": null, "tie_word_embeddings": true,
    "vocab_size": 102400, "layer_types": )" +
                               list_of(R"("full_attention")", 30) + "}");
  EXPECT_EQ(small.architecture, model::DecoderArchitecture::Exaone4);
  EXPECT_FALSE(small.sliding_window);
  EXPECT_TRUE(small.is_rotated(0));
  const auto large = published(R"({"model_type": "exaone4", "head_dim": 128, "hidden_size": 5120,
    "intermediate_size": 27392, "max_position_embeddings": 131072, "num_attention_heads": 40,
    "num_hidden_layers": 64, "num_key_value_heads": 8, "rope_theta": 1000000,
    "sliding_window": 4096, "sliding_window_pattern": "LLLG", "vocab_size": 102400})");
  EXPECT_EQ(large.window_of(2), 4096U);
  EXPECT_EQ(large.window_of(63), 0U);
  EXPECT_TRUE(large.is_rotated(2));
  EXPECT_FALSE(large.is_rotated(63));
}

TEST(PublishedDecoders, Ernie45) {
  const auto facts = published(R"({"architectures": ["Ernie4_5ForCausalLM"],
    "model_type": "ernie4_5", "head_dim": 128, "hidden_act": "silu", "hidden_size": 1024,
    "intermediate_size": 3072, "max_position_embeddings": 131072, "num_attention_heads": 16,
    "num_hidden_layers": 18, "num_key_value_heads": 2, "rms_norm_eps": 1e-05,
    "rope_scaling": null, "rope_theta": 500000.0, "tie_word_embeddings": true, "use_bias": false,
    "vocab_size": 103424})");
  EXPECT_EQ(facts.rope_style, model::RopeStyle::Interleaved);
  EXPECT_EQ(facts.rope_freq_base, 500'000);
  EXPECT_FALSE(facts.attn_bias);
  EXPECT_EQ(facts.head_dim, 128U);
}

TEST(PublishedDecoders, HunYuanDense) {
  const auto facts = published(R"({"architectures": ["HunYuanDenseV1ForCausalLM"],
    "model_type": "hunyuan_v1_dense", "attention_bias": false, "attention_head_dim": 128,
    "head_dim": 128, "hidden_act": "silu", "hidden_size": 2048, "intermediate_size": 6144,
    "max_position_embeddings": 262144, "mlp_bias": false, "num_attention_heads": 16,
    "num_hidden_layers": 32, "num_key_value_heads": 4, "rms_norm_eps": 1e-05,
    "rope_scaling": {"alpha": 1000.0, "beta_fast": 32, "beta_slow": 1, "factor": 1.0,
      "mscale": 1.0, "mscale_all_dim": 1.0, "type": "dynamic"}, "rope_theta": 10000.0,
    "tie_word_embeddings": true, "use_cla": false, "use_qk_norm": true,
    "use_rotary_pos_emb": true, "vocab_size": 120818})");
  EXPECT_TRUE(facts.norm_after_rope);
  EXPECT_EQ(facts.rope_scaling.kind, model::RopeScaling::Kind::None);
  EXPECT_NEAR(facts.rope_freq_base, 11158839.9251, 1e-3);
}

TEST(PublishedDecoders, Helium1) {
  const auto facts = published(R"({"architectures": ["HeliumForCausalLM"], "model_type": "helium",
    "attention_bias": false, "head_dim": 128, "hidden_act": "silu", "hidden_size": 2560,
    "intermediate_size": 7040, "max_position_embeddings": 4096, "mlp_bias": false,
    "num_attention_heads": 20, "num_hidden_layers": 24, "num_key_value_heads": 20,
    "rms_norm_eps": 1e-08, "rope_theta": 100000.0, "tie_word_embeddings": false,
    "vocab_size": 48000})");
  EXPECT_EQ(facts.rope_style, model::RopeStyle::Interleaved);
  EXPECT_EQ(facts.norm_eps, 1e-8);
}

TEST(PublishedDecoders, Arcee) {
  const auto facts = published(R"({"architectures": ["ArceeForCausalLM"], "model_type": "arcee",
    "attention_bias": false, "head_dim": 128, "hidden_act": "relu2", "hidden_size": 2560,
    "intermediate_size": 18432, "max_position_embeddings": 65536, "mlp_bias": false,
    "num_attention_heads": 20, "num_hidden_layers": 36, "num_key_value_heads": 4,
    "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "vocab_size": 128004,
    "rope_scaling": {"beta_fast": 32.0, "beta_slow": 1.0, "factor": 20.0, "mscale": 1.0,
      "original_max_position_embeddings": 4096, "rope_type": "yarn", "type": "yarn"}})");
  EXPECT_EQ(facts.activation, model::DecoderActivation::ReluSquared);
  EXPECT_FALSE(facts.gated);
  EXPECT_NEAR(model::rope_magnitude(facts.rope_scaling, facts.max_seq_len), 1.2995732274, 1e-9);
}

TEST(PublishedDecoders, Apertus) {
  const std::string config = R"({"architectures": ["ApertusForCausalLM"], "model_type": "apertus",
    "attention_bias": false, "hidden_act": "xielu", "hidden_size": 4096,
    "intermediate_size": 21504, "max_position_embeddings": 65536, "mlp_bias": false,
    "num_attention_heads": 32, "num_hidden_layers": 2, "num_key_value_heads": 8,
    "post_norm": false, "qk_norm": true, "rms_norm_eps": 1e-05, "rope_theta": 12000000,
    "rope_scaling": {"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
      "original_max_position_embeddings": 8192, "rope_type": "llama3", "type": "llama3"},
    "tie_word_embeddings": false, "vocab_size": 131072})";
  const auto facts = published(config, R"({"xielu": {"alpha_p": [0.5, 1], "alpha_n": [0.25, 2],
    "beta": [0.5, 0.5], "eps": [-0.000001, -0.000001]}})");
  EXPECT_EQ(facts.activation, model::DecoderActivation::Xielu);
  ASSERT_EQ(facts.xielu.size(), 2U);
  EXPECT_EQ(facts.xielu[1], (model::XieluParameters{1, 2, 0.5, -1e-6}));
  EXPECT_EQ(facts.rope_freq_base, 12e6);
}

// The 9B: the language model of one that sees pictures, with a layer that guesses a second token.
TEST(PublishedDecoders, Qwen35) {
  const auto config = published(R"({"architectures": ["Qwen3_5ForConditionalGeneration"],
    "image_token_id": 248056, "model_type": "qwen3_5", "tie_word_embeddings": false,
    "text_config": {"attention_bias": false, "attention_dropout": 0.0, "attn_output_gate": true,
    "dtype": "bfloat16", "eos_token_id": 248044, "full_attention_interval": 4, "head_dim": 256,
    "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
    "intermediate_size": 12288, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
    "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_value_head_dim": 128,
    "max_position_embeddings": 262144, "mlp_only_layers": [], "model_type": "qwen3_5_text",
    "mtp_num_hidden_layers": 1, "mtp_use_dedicated_embeddings": false,
    "num_attention_heads": 16, "num_hidden_layers": 32, "num_key_value_heads": 4,
    "rms_norm_eps": 1e-06, "use_cache": true, "vocab_size": 248320,
    "mamba_ssm_dtype": "float32", "rope_parameters": {"mrope_interleaved": true,
    "mrope_section": [11, 11, 10], "rope_type": "default", "rope_theta": 10000000,
    "partial_rotary_factor": 0.25}}, "vision_config": {"model_type": "qwen3_5"},
    "vision_start_token_id": 248053})");
  EXPECT_EQ(config.architecture, model::DecoderArchitecture::Qwen35);
  EXPECT_EQ(config.n_vocab, 248'320U);
  EXPECT_EQ(config.n_rotated, 64U);
  EXPECT_EQ(config.rope_freq_base, 1e7);
  EXPECT_EQ(config.norm_eps, 1e-6);
  EXPECT_EQ(config.norm_offset, 1);
  EXPECT_TRUE(config.attn_gate);
  EXPECT_EQ(config.conv_taps, 4U);
  EXPECT_EQ(config.delta, (model::GatedDeltaConfig{16, 32, 128, 128, false}));
  EXPECT_EQ(config.delta.channels(), 8192U);
  for (uint32_t layer = 0; layer < 32; ++layer) {
    EXPECT_EQ(config.kind_of(layer),
              layer % 4 == 3 ? model::LayerKind::Attention : model::LayerKind::GatedDelta);
  }
}

// The first files list the layers that attend, and state a width that is adjusted.
TEST(PublishedDecoders, Lfm2) {
  const auto first = published(R"({"architectures": ["Lfm2ForCausalLM"], "model_type": "lfm2",
    "block_auto_adjust_ff_dim": true, "block_dim": 2048, "block_ff_dim": 12288,
    "block_ffn_dim_multiplier": 1.0, "block_multiple_of": 256, "block_norm_eps": 1e-05,
    "block_use_swiglu": true, "bos_token_id": 1, "conv_L_cache": 3, "conv_bias": false,
    "conv_dim": 2048, "eos_token_id": 7, "full_attn_idxs": [2, 5, 8, 10, 12, 14],
    "hidden_size": 2048, "max_position_embeddings": 128000, "norm_eps": 1e-05,
    "num_attention_heads": 32, "num_heads": 32, "num_hidden_layers": 16,
    "num_key_value_heads": 8, "pad_token_id": 0, "rope_theta": 1000000.0, "use_pos_enc": true,
    "vocab_size": 65536})");
  EXPECT_EQ(first.architecture, model::DecoderArchitecture::Lfm2);
  EXPECT_EQ(first.n_ff, 8192U);
  EXPECT_EQ(first.conv_taps, 3U);
  EXPECT_EQ(first.rope_freq_base, 1e6);
  EXPECT_EQ(first.head_dim, 64U);
  EXPECT_EQ(first.max_seq_len, 128'000U);
  EXPECT_EQ(first.norm_eps, 1e-5);
  EXPECT_TRUE(first.tie_word_embeddings);
  for (uint32_t layer = 0; layer < 16; ++layer) {
    const bool attends = layer == 2 || layer == 5 || (layer >= 8 && layer % 2 == 0);
    EXPECT_EQ(first.kind_of(layer),
              attends ? model::LayerKind::Attention : model::LayerKind::ShortConvolution);
  }
}

// Later files list the types of the layers.
TEST(PublishedDecoders, Lfm2OfLaterFiles) {
  const auto later = published(R"({"architectures": ["Lfm2ForCausalLM"], "model_type": "lfm2",
    "block_auto_adjust_ff_dim": true, "block_ffn_dim_multiplier": 1.0, "block_multiple_of": 256,
    "conv_L_cache": 3, "conv_bias": false, "hidden_size": 1024, "intermediate_size": 6656,
    "layer_types": ["conv", "conv", "full_attention", "conv"], "max_position_embeddings": 128000,
    "norm_eps": 1e-05, "num_attention_heads": 16, "num_hidden_layers": 4,
    "num_key_value_heads": 8, "rope_parameters": {"rope_theta": 1000000.0,
    "rope_type": "default"}, "tie_embedding": true, "vocab_size": 65536})");
  EXPECT_EQ(later.n_ff, 4608U);
  EXPECT_EQ(later.kind_of(2), model::LayerKind::Attention);
  EXPECT_EQ(later.kind_of(3), model::LayerKind::ShortConvolution);
  EXPECT_EQ(published(R"({"model_type": "lfm2", "block_auto_adjust_ff_dim": false,
    "hidden_size": 64, "intermediate_size": 100, "num_attention_heads": 4, "vocab_size": 8,
    "block_multiple_of": 16, "num_hidden_layers": 2, "full_attn_idxs": [0]})")
                .n_ff,
            100U);
}

TEST(PublishedDecoders, AreRefusedWhereTheyDiffer) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"model_type":"mistral3","vision_config":{}})", "config.json.text_config"},
      {R"({"model_type":"granitemoehybrid","layer_types":["attention","rwkv"]})",
       "config.json.layer_types"},
      {R"({"model_type":"granitemoehybrid"})", "config.json.layer_types"},
      {R"({"model_type":"granitemoehybrid","num_local_experts":64})",
       "config.json.num_local_experts"},
      {R"({"model_type":"granitemoehybrid","layer_types":[],"position_embedding_type":"alibi"})",
       "config.json.position_embedding_type"},
      {R"({"model_type":"exaone4","sliding_window_pattern":"LXG"})",
       "config.json.sliding_window_pattern"},
      {R"({"model_type":"ernie4_5","compression_ratio":2.0})", "config.json.compression_ratio"},
      {R"({"model_type":"ernie4_5","use_rmsnorm":false})", "config.json.use_rmsnorm"},
      {R"({"model_type":"hunyuan_v1_dense","use_cla":true})", "config.json.use_cla"},
      {R"({"model_type":"hunyuan_v1_dense","use_qk_norm":false})", "config.json.use_qk_norm"},
      {R"({"model_type":"hunyuan_v1_dense","head_dim":128,
           "rope_scaling":{"type":"dynamic","alpha":-1}})",
       "config.json.alpha"},
      {R"({"model_type":"apertus"})", "config.json.rope_theta"},
      {R"({"model_type":"apertus","rope_theta":1e6,"post_norm":true})", "config.json.post_norm"},
      {R"({"model_type":"lfm2","block_multiple_of":0})", "config.json.block_multiple_of"},
      {R"({"model_type":"mistral4"})", "config.json.model_type"},
      {R"({"model_type":"minicpm3"})", "config.json.model_type"}};
  for (const auto& [config, path] : rows) {
    SideFiles files;
    files.add("config.json", config);
    const auto refused = read_decoder_config(files, "");
    ASSERT_FALSE(refused) << config;
    EXPECT_EQ(refused.error().path, path) << describe(refused.error());
  }
}

}  // namespace
}  // namespace ambry::formats::huggingface
