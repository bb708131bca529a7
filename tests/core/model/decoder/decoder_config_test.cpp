#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/decoder/decoder_models.h"

namespace ambry::model {
namespace {

using io::Diagnostics;
using tensor::Shape;

Error refused(const std::string& config_json, const std::vector<TensorEntry>& tensors = {}) {
  Model model = model_with(config_json);
  model.tensors = tensors;
  Diagnostics found;
  auto config = decoder_config(model, found);
  EXPECT_FALSE(config);
  return config ? Error() : config.error();
}

TEST(DecoderConfig, HasTheRulesOfNewerFamilies) {
  constexpr const char* kWindows =
      R"(, "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"])";
  const DecoderConfig exaone = config_of(model_with(config_text("exaone4", kWindows)));
  EXPECT_EQ(exaone.rotated_layers, (std::vector<bool>{true, false}));
  EXPECT_TRUE(config_of(model_with(config_text("exaone4"))).rotated_layers.empty());
  const std::string olmo = concat({kWindows, R"(, "rope_freq_base": 5000)"});
  EXPECT_EQ(config_of(model_with(config_text("olmo3", olmo))).rope_local_freq_base, 0);
  const std::string scaled = olmo + R"(, "rope_scaling": {"type": "yarn", "factor": 2})";
  EXPECT_EQ(config_of(model_with(config_text("olmo3", scaled))).rope_local_freq_base, 5000);
  EXPECT_EQ(config_of(model_with(config_text("olmo2", scaled))).rope_local_freq_base, 0);
}

TEST(DecoderConfig, RefusesWhatNewerFamiliesLack) {
  const auto path = [](std::string_view architecture, std::string_view more) {
    return refused(config_text(architecture, more)).path;
  };
  EXPECT_EQ(path("llama", R"(, "activation_fn": "xielu")"), "config.activation_fn");
  EXPECT_EQ(path("apertus", ""), "config.xielu");
  EXPECT_EQ(path("llama", R"(, "attn_temperature_scale": 0.1)"), "config.attn_temperature_length");
  EXPECT_EQ(path("llama", R"(, "attn_temperature_scale": -1)"), "config.attn_temperature_scale");
  EXPECT_EQ(path("llama", R"(, "rope_scaling": {"type": "yarn", "truncate": false})"),
            "config.rope_scaling.truncate");
}

TEST(DecoderConfig, RefusesConvolutionsWithoutASizeThatCanBeRight) {
  const auto taps = [](std::string_view value) {
    return refused(config_text("lfm2", concat({R"(, "layer_types": ["conv", "conv"])", value})));
  };
  EXPECT_EQ(taps("").code, ErrorCode::NotFound);
  EXPECT_EQ(taps("").path, "config.conv_taps");
  EXPECT_EQ(taps(R"(, "conv_taps": 0)").code, ErrorCode::BadValue);
  EXPECT_EQ(taps(R"(, "conv_taps": 1)").code, ErrorCode::BadValue);
  EXPECT_EQ(taps(R"(, "conv_taps": 65)").code, ErrorCode::LimitExceeded);
  EXPECT_EQ(taps(R"(, "conv_L_cache": 65)").path, "config.conv_L_cache");
}

TEST(DecoderConfig, HasAmbsDefaults) {
  const DecoderConfig llama = config_of(model_with(config_text("llama")));
  EXPECT_EQ(llama.n_kv_heads, 4U);
  EXPECT_EQ(llama.head_dim, 2U);
  EXPECT_EQ(llama.norm_eps, 1e-5);
  EXPECT_TRUE(llama.tie_word_embeddings);
  EXPECT_EQ(llama.positions, DecoderPositions::Rope);
  EXPECT_EQ(llama.rope_scaling.kind, RopeScaling::Kind::None);

  const DecoderConfig gemma = config_of(model_with(config_text("gemma")));
  EXPECT_EQ(gemma.head_dim, 256U);
  EXPECT_EQ(gemma.norm_eps, 1e-6);
  EXPECT_EQ(gemma.norm_offset, 1);
  EXPECT_EQ(gemma.embed_scale, std::sqrt(8.0));
  EXPECT_EQ(gemma.activation, DecoderActivation::GeluTanh);

  const DecoderConfig gpt2 = config_of(model_with(config_text("gpt2")));
  EXPECT_EQ(gpt2.positions, DecoderPositions::Learned);
  EXPECT_FALSE(gpt2.gated);
  EXPECT_EQ(gpt2.norm, DecoderNorm::Layer);
  EXPECT_EQ(config_of(model_with(config_text("mpt"))).positions, DecoderPositions::Alibi);
  EXPECT_TRUE(config_of(model_with(config_text("falcon"))).parallel_residual);
}

TEST(DecoderConfig, ReadsHuggingFaceNames) {
  const DecoderConfig config = config_of(model_with(
      R"({"model_type": "phi3", "vocab_size": 32064, "hidden_size": 3072, "num_hidden_layers": 32,
          "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 8192,
          "max_position_embeddings": 4096, "sliding_window": 2047, "rms_norm_eps": 1e-5,
          "rope_theta": 10000.0, "hidden_act": "silu", "rope_scaling": null})"));
  EXPECT_EQ(config.architecture, DecoderArchitecture::Phi3);
  EXPECT_EQ(config.head_dim, 96U);
  EXPECT_EQ(config.n_ff, 8192U);
  EXPECT_EQ(config.sliding_window, 2047U);
  EXPECT_EQ(config.n_rotated, 96U);
}

TEST(DecoderConfig, DistinguishesPhi2AndPhi3ByTheirTensors) {
  Model model = model_with(config_text("phi", R"(, "partial_rotary_factor": 1)"));
  model.tensors = {entry("model.layers.0.self_attn.qkv_proj.weight", {24, 8})};
  EXPECT_EQ(config_of(model).architecture, DecoderArchitecture::Phi3);
  model.tensors = {entry("model.layers.0.self_attn.q_proj.weight", {8, 8}),
                   entry("model.layers.0.mlp.fc1.weight", {12, 8})};
  EXPECT_EQ(config_of(model).architecture, DecoderArchitecture::Phi2);
  EXPECT_EQ(refused(config_text("phi")).code, ErrorCode::NotFound);
}

TEST(DecoderConfig, ReportsAMissingFact) {
  EXPECT_EQ(refused("{}").path, "config.architecture");
  EXPECT_EQ(refused(R"({"architecture": "llama"})").path, "config.n_vocab");
  const Error heads =
      refused(R"({"architecture": "llama", "n_vocab": 16, "n_embd": 8, "n_layers": 2})");
  EXPECT_EQ(heads.code, ErrorCode::NotFound);
  EXPECT_EQ(heads.path, "config.n_heads");
}

TEST(DecoderConfig, RejectsInvalidValuesAtTheirOffset) {
  struct Case {
    std::string_view more;
    std::string_view path;
    ErrorCode code;
  };
  const Case kCases[] = {
      {R"(, "n_kv_heads": 3)", "config.n_kv_heads", ErrorCode::BadValue},
      {R"(, "n_kv_heads": 0)", "config.n_kv_heads", ErrorCode::BadValue},
      {R"(, "head_dim": 3)", "config.head_dim", ErrorCode::BadValue},
      {R"(, "head_dim": 4294967294)", "config.head_dim", ErrorCode::Overflow},
      {R"(, "norm_eps": 2)", "config.norm_eps", ErrorCode::BadValue},
      {R"(, "norm_eps": "small")", "config.norm_eps", ErrorCode::BadValue},
      {R"(, "norm_type": "batch")", "config.norm_type", ErrorCode::Unsupported},
      {R"(, "activation_fn": "mish")", "config.activation_fn", ErrorCode::Unsupported},
      {R"(, "rope_freq_base": 0)", "config.rope_freq_base", ErrorCode::BadValue},
      {R"(, "partial_rotary_factor": 1.5)", "config.partial_rotary_factor", ErrorCode::BadValue},
      {R"(, "partial_rotary_factor": 0.1)", "config.partial_rotary_factor", ErrorCode::BadValue},
      {R"(, "rope_style": "mixed")", "config.rope_style", ErrorCode::Unsupported},
      {R"(, "attn_softcap": -1)", "config.attn_softcap", ErrorCode::BadValue},
      {R"(, "rope_scaling": 0)", "config.rope_scaling", ErrorCode::BadValue},
  };
  for (const Case& bad : kCases) {
    const Error error = refused(config_text("llama", bad.more));
    EXPECT_EQ(error.path, bad.path) << describe(error);
    EXPECT_EQ(error.code, bad.code) << describe(error);
    EXPECT_GT(error.byte_offset, 1000U) << describe(error);
    EXPECT_NE(error.byte_offset, kNoOffset) << describe(error);
  }
  EXPECT_EQ(refused(config_text("rwkv")).code, ErrorCode::Unsupported);
  EXPECT_EQ(refused(R"({"architecture": "llama", "n_vocab": 1, "n_embd": 9, "n_layers": 1,
                        "n_heads": 2})")
                .path,
            "config.n_heads");
  EXPECT_EQ(refused(R"({"architecture": "llama", "n_vocab": 1, "n_embd": 9, "n_layers": 100000,
                        "n_heads": 2})")
                .code,
            ErrorCode::LimitExceeded);
}

TEST(DecoderConfig, DerivesTheFeedForwardWidthFromTheTensors) {
  const std::string_view text =
      R"({"architecture": "phi3", "n_vocab": 16, "n_embd": 8, "n_layers": 1, "n_heads": 4})";
  EXPECT_EQ(refused(std::string(text)).path, "config.n_ff");
  Model model = model_with(text);
  model.tensors = {entry("model.layers.0.mlp.gate_up_proj.weight", {24, 8})};
  EXPECT_EQ(config_of(model).n_ff, 12U);
}

TEST(DecoderConfig, WarnsWhenItAssumesALength) {
  Model model = model_with(config_text("llama"));
  model.config.set("max_seq_len", io::Json());
  Diagnostics found;
  const auto config = decoder_config(model, found);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->max_seq_len, 2048U);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].path, "config.max_seq_len");
}

TEST(RopeScaling, IsANumberOrAnObject) {
  using Kind = RopeScaling::Kind;
  const auto read = [](std::string_view value) {
    return rope_scaling(model_with(concat({R"({"rope_scaling": )", value, "}"})).config, 4);
  };
  EXPECT_EQ(read("1.0")->kind, Kind::None);
  EXPECT_EQ(read("4")->kind, Kind::Linear);
  EXPECT_EQ(read("4")->factor, 4);
  EXPECT_EQ(read("null")->kind, Kind::None);
  EXPECT_EQ(read(R"({"type": "dynamic", "factor": 2.0})")->kind, Kind::Dynamic);
  const auto yarn = read(R"({"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.2,
                            "original_max_position_embeddings": 4096})");
  ASSERT_TRUE(yarn);
  EXPECT_EQ(yarn->original_max_seq_len, 4096U);
  EXPECT_EQ(yarn->attention_factor, 1.2);
  EXPECT_EQ(yarn->beta_fast, 32);
  const auto llama3 = read(R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                              "high_freq_factor": 4.0})");
  ASSERT_TRUE(llama3);
  EXPECT_EQ(llama3->kind, Kind::Llama3);
  const auto su = read(R"({"type": "su", "short_factor": [1, 1.5], "long_factor": [2, 3]})");
  ASSERT_TRUE(su);
  EXPECT_EQ(su->kind, Kind::LongRope);
  EXPECT_EQ(su->long_factor, (std::vector<float>{2, 3}));

  EXPECT_EQ(read(R"("twice")").error().path, "config.rope_scaling");
  EXPECT_EQ(read(R"({"factor": 2})").error().path, "config.rope_scaling.type");
  EXPECT_EQ(read(R"({"type": "ntk"})").error().code, ErrorCode::Unsupported);
  EXPECT_EQ(read(R"({"type": "linear", "factor": -1})").error().path, "config.rope_scaling.factor");
  EXPECT_EQ(read(R"({"type": "su", "short_factor": [1], "long_factor": [2, 3]})").error().path,
            "config.rope_scaling.short_factor");
  EXPECT_FALSE(read(R"({"type": "su", "short_factor": [1, 0], "long_factor": [2, 3]})"));
  EXPECT_FALSE(read(R"({"type": "llama3", "low_freq_factor": 4, "high_freq_factor": 4})"));
}

}  // namespace
}  // namespace ambry::model
