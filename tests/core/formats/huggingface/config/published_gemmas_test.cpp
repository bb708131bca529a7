// Facts of published config.json files of Gemma 3n and Gemma 4.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/published_config.h"

namespace ambry::formats::huggingface {
namespace {

using testing::list_of;
using testing::published;

// The layers of a pattern in which every n-th sees all.
std::string layer_types(int n_layers, int n) {
  std::string text = "[";
  for (int layer = 1; layer <= n_layers; ++layer) {
    text += layer % n == 0 ? R"("full_attention")" : R"("sliding_attention")";
    text += layer == n_layers ? "]" : ",";
  }
  return text;
}

// The first layers leave out 95 % of their gates.
std::string shares(int n_sparse, int n_layers) {
  std::string text = "[";
  for (int layer = 0; layer < n_layers; ++layer) {
    text += (layer == 0 ? "" : ", ") + std::string(layer < n_sparse ? "0.95" : "0.0");
  }
  return text + "]";
}

std::string gemma3n(int n_layers, int width, int n_shared) {
  return R"({"architectures": ["Gemma3nForConditionalGeneration"], "model_type": "gemma3n",
    "audio_config": {"model_type": "gemma3n_audio"}, "vision_config": {"model_type": "gemma3n_vision"},
    "text_config": {"model_type": "gemma3n_text", "altup_active_idx": 0, "altup_coef_clip": 120.0,
      "altup_correct_scale": true, "altup_num_inputs": 4, "attention_bias": false,
      "final_logit_softcapping": 30.0, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
      "hidden_size": 2048, "hidden_size_per_layer_input": 256, "laurel_rank": 64,
      "max_position_embeddings": 32768, "num_attention_heads": 8, "num_key_value_heads": 2,
      "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000.0, "rope_scaling": null,
      "rope_theta": 1000000.0, "sliding_window": 512, "vocab_size": 262400,
      "vocab_size_per_layer_input": 262144, "num_hidden_layers": )" +
         std::to_string(n_layers) + R"(, "num_kv_shared_layers": )" + std::to_string(n_shared) +
         R"(, "intermediate_size": )" + list_of(std::to_string(width), n_layers) +
         R"(, "activation_sparsity_pattern": )" + shares(10, n_layers) + R"(, "layer_types": )" +
         layer_types(n_layers, 5) + "}}";
}

TEST(PublishedGemmas, Gemma3nE2B) {
  const auto facts = published(gemma3n(30, 8192, 10));
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::Gemma3n);
  EXPECT_TRUE(facts.tie_word_embeddings);
  EXPECT_EQ(facts.n_vocab, 262'400U);
  EXPECT_EQ(facts.extras.n_vocab_per_layer, 262'144U);
  EXPECT_EQ(facts.extras.n_embd_per_layer, 256U);
  EXPECT_EQ(facts.extras.n_streams, 4U);
  EXPECT_EQ(facts.extras.laurel_rank, 64U);
  EXPECT_EQ(facts.n_ff, 8192U);
  EXPECT_EQ(facts.attn_scale, 1);
  EXPECT_EQ(facts.norm_offset, 0);
  EXPECT_EQ(facts.rope_freq_base, 1e6);
  EXPECT_EQ(facts.rope_local_freq_base, 1e4);
  EXPECT_EQ(facts.final_softcap, 30);
  EXPECT_EQ(facts.kv_layer(19), 19U);
  EXPECT_EQ(facts.kv_layer(20), 18U);
  EXPECT_EQ(facts.kv_layer(29), 19U);
  EXPECT_TRUE(facts.lends_keys(18));
  EXPECT_FALSE(facts.lends_keys(17));
  EXPECT_TRUE(facts.extras.sparsity_of(9));
  EXPECT_FALSE(facts.extras.sparsity_of(10));
  EXPECT_EQ(facts.window_of(0), 512U);
  EXPECT_EQ(facts.window_of(4), 0U);
}

TEST(PublishedGemmas, Gemma3nE4B) {
  const auto facts = published(gemma3n(35, 16384, 15));
  EXPECT_EQ(facts.n_ff, 16'384U);
  EXPECT_EQ(facts.kv_layer(34), 19U);
}

std::string gemma4(const std::string& sizes, const std::string& types) {
  return R"({"architectures": ["Gemma4ForConditionalGeneration"], "model_type": "gemma4",
    "vision_config": {"model_type": "gemma4_vision"}, "text_config": {"model_type": "gemma4_text",
      "attention_bias": false, "final_logit_softcapping": 30.0, "global_head_dim": 512,
      "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "rms_norm_eps": 1e-06,
      "rope_parameters": {"full_attention": {"partial_rotary_factor": 0.25,
          "rope_theta": 1000000.0, "rope_type": "proportional"},
        "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"}},
      "tie_word_embeddings": true, "vocab_size": 262144, "vocab_size_per_layer_input": 262144, )" +
         sizes + R"(, "layer_types": )" + types + "}}";
}

TEST(PublishedGemmas, Gemma4E2B) {
  const auto facts =
      published(gemma4(R"("attention_k_eq_v": false, "enable_moe_block": false, "hidden_size": 1536,
        "hidden_size_per_layer_input": 256, "intermediate_size": 6144, "num_attention_heads": 8,
        "max_position_embeddings": 131072, "num_experts": null, "num_global_key_value_heads": null,
        "num_hidden_layers": 35, "num_key_value_heads": 1, "num_kv_shared_layers": 20,
        "sliding_window": 512, "use_bidirectional_attention": null, "use_double_wide_mlp": true)",
                       layer_types(35, 5)));
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::Gemma4);
  EXPECT_EQ(facts.n_ff_of(14), 6144U);
  EXPECT_EQ(facts.n_ff_of(15), 12'288U);
  EXPECT_EQ(facts.head_dim_of(3), 256U);
  EXPECT_EQ(facts.head_dim_of(4), 512U);
  EXPECT_EQ(facts.kv_layer(15), 13U);
  EXPECT_EQ(facts.kv_layer(34), 14U);
  EXPECT_EQ(facts.extras.global_rotary_factor, 0.25);
  EXPECT_EQ(facts.rope_scaling.kind, model::RopeScaling::Kind::None);
  EXPECT_EQ(facts.extras.n_embd_per_layer, 256U);
  EXPECT_FALSE(facts.keys_are_values(4));
}

TEST(PublishedGemmas, Gemma4E4B) {
  const auto facts =
      published(gemma4(R"("attention_k_eq_v": false, "enable_moe_block": false, "hidden_size": 2560,
        "hidden_size_per_layer_input": 256, "intermediate_size": 10240, "num_attention_heads": 8,
        "max_position_embeddings": 131072, "num_hidden_layers": 42, "num_key_value_heads": 2,
        "num_kv_shared_layers": 18, "sliding_window": 512, "use_double_wide_mlp": false)",
                       layer_types(42, 6)));
  EXPECT_EQ(facts.n_ff_of(41), 10'240U);
  EXPECT_EQ(facts.kv_layer(24), 22U);
  EXPECT_EQ(facts.kv_layer(29), 23U);
}

constexpr const char* kLargeGemma4 = R"("attention_k_eq_v": true, "hidden_size": 5376,
    "hidden_size_per_layer_input": 0, "intermediate_size": 21504, "num_attention_heads": 32,
    "max_position_embeddings": 262144, "num_hidden_layers": 60, "num_key_value_heads": 16,
    "num_kv_shared_layers": 0, "sliding_window": 1024, "use_double_wide_mlp": false)";

TEST(PublishedGemmas, Gemma4Dense) {
  const auto facts = published(gemma4(
      std::string(kLargeGemma4) + R"(, "enable_moe_block": false, "num_global_key_value_heads": 4)",
      layer_types(60, 6)));
  EXPECT_EQ(facts.n_kv_heads_of(4), 16U);
  EXPECT_EQ(facts.n_kv_heads_of(5), 4U);
  EXPECT_TRUE(facts.keys_are_values(5));
  EXPECT_FALSE(facts.keys_are_values(4));
  EXPECT_EQ(facts.extras.n_embd_per_layer, 0U);
  EXPECT_EQ(facts.window_of(0), 1024U);
}

// The newest files state the sizes of heads for each layer that sees all.
TEST(PublishedGemmas, Gemma4WithSizesOfLayers) {
  std::string sizes;
  for (int layer = 5; layer < 60; layer += 6) {
    sizes += (layer == 5 ? "\"" : ", \"") + std::to_string(layer) +
             R"(": {"head_dim": 384, "num_key_value_heads": 2})";
  }
  const auto facts = published(gemma4(
      std::string(kLargeGemma4) + R"(, "per_layer_config": {)" + sizes + "}", layer_types(60, 6)));
  EXPECT_EQ(facts.n_kv_heads_of(5), 2U);
  EXPECT_EQ(facts.head_dim_of(5), 384U);
  EXPECT_EQ(facts.head_dim_of(4), 256U);
}

Error refusal(const std::string& config) {
  SideFiles files;
  files.add("config.json", config);
  const auto read = read_decoder_config(files, "");
  EXPECT_FALSE(read);
  return read ? Error() : read.error();
}

TEST(PublishedGemmas, GemmasThatAreNotSupportedAreRefusedByName) {
  const auto experts = refusal(
      gemma4(std::string(kLargeGemma4) + R"(, "enable_moe_block": true)", layer_types(60, 6)));
  const auto idle =
      refusal(gemma4(std::string(kLargeGemma4) + R"(, "enable_moe_block": false, "num_experts": 8)",
                     layer_types(60, 6)));
  EXPECT_EQ(idle.path, "config.json.num_experts");
  EXPECT_EQ(experts.code, ErrorCode::Unsupported);
  EXPECT_EQ(experts.path, "config.json.enable_moe_block");
  const auto both = refusal(gemma4(
      std::string(kLargeGemma4) + R"(, "use_bidirectional_attention": "all")", layer_types(60, 6)));
  EXPECT_EQ(both.path, "config.json.use_bidirectional_attention");
  std::string other = gemma3n(30, 8192, 10);
  other.replace(other.find(R"("altup_active_idx": 0)"), 21, R"("altup_active_idx": 1)");
  EXPECT_EQ(refusal(other).path, "config.json.altup_active_idx");
  std::string sparse = gemma3n(30, 8192, 10);
  sparse.replace(sparse.find("[0.95"), 5, "[0.5");
  EXPECT_EQ(refusal(sparse).path, "config.json.activation_sparsity_pattern");
  std::string widths = gemma3n(30, 8192, 10);
  widths.replace(widths.find("[8192"), 5, "[4096");
  EXPECT_EQ(refusal(widths).path, "config.json.intermediate_size");
}

}  // namespace
}  // namespace ambry::formats::huggingface
