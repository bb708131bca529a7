#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

using io::Diagnostics;
using tensor::Shape;

Model model_with(std::string_view config) {
  Model model;
  auto json = io::parse_json(config, 1000, "config");
  EXPECT_TRUE(json) << describe(json.error());
  model.config = std::move(*json);
  auto layout = decoder_linear_layout(model.config);
  if (layout) model.linear_layout = *layout;
  return model;
}

std::string config_text(std::string_view architecture, std::string_view more = "") {
  return concat({R"({"architecture": ")", architecture,
                 R"(", "n_vocab": 16, "n_embd": 8, "n_layers": 2, "n_heads": 4, "n_ff": 12, )",
                 R"("max_seq_len": 32)", more, "}"});
}

DecoderConfig config_of(const Model& model) {
  Diagnostics found;
  auto config = decoder_config(model, found);
  EXPECT_TRUE(config) << describe(config.error());
  return config ? *config : DecoderConfig();
}

// A model that has every required tensor and none of the optional ones.
Model whole_model(const std::string& config_json) {
  Model model = model_with(config_json);
  for (const DecoderTensor& tensor : decoder_tensors(config_of(model))) {
    if (tensor.spec.optional) continue;
    model.tensors.push_back(
        entry(tensor.spec.name, stored_shape(tensor.spec, model.linear_layout)));
  }
  return model;
}

Diagnostics checked(const Model& model) {
  Diagnostics found;
  check_decoder_tensors(model, config_of(model), found);
  return found;
}

Error refused(const std::string& config_json, const std::vector<TensorEntry>& tensors = {}) {
  Model model = model_with(config_json);
  model.tensors = tensors;
  Diagnostics found;
  auto config = decoder_config(model, found);
  EXPECT_FALSE(config);
  return config ? Error() : config.error();
}

const TensorEntry* find(const Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &TensorEntry::name);
  return found == model.tensors.end() ? nullptr : &*found;
}

// core/formats/amb/README.md#tensor-names and #linear-layout.
TEST(DecoderTensors, HaveHuggingFaceNamesAndShapes) {
  struct Expected {
    std::string_view architecture;
    std::string_view name;
    Shape shape;
  };
  const Expected kExpected[] = {
      {"llama", "layers.1.self_attn.q_proj.weight", {8, 8}},
      {"llama", "layers.1.mlp.gate_proj.weight", {12, 8}},
      {"mistral", "layers.0.mlp.down_proj.weight", {8, 12}},
      {"mistral", "norm.weight", {8}},
      {"gemma", "layers.1.self_attn.q_proj.weight", {1024, 8}},
      {"gemma", "layers.1.self_attn.o_proj.weight", {8, 1024}},
      {"phi2", "layers.0.mlp.fc1.bias", {12}},
      {"phi2", "final_layernorm.bias", {8}},
      {"phi3", "layers.0.self_attn.qkv_proj.weight", {24, 8}},
      {"phi3", "layers.0.mlp.gate_up_proj.weight", {24, 8}},
      {"gpt2", "wpe.weight", {32, 8}},
      {"gpt2", "h.1.attn.c_attn.weight", {8, 24}},  // Conv1D: [in, out]
      {"gpt2", "h.1.mlp.c_proj.weight", {12, 8}},
      {"falcon", "h.0.self_attention.query_key_value.weight", {24, 8}},
      {"falcon", "word_embeddings.weight", {16, 8}},
      {"mpt", "blocks.1.attn.Wqkv.weight", {24, 8}},
      {"mpt", "norm_f.weight", {8}},
  };
  for (const Expected& expected : kExpected) {
    const std::string_view more =
        expected.architecture == "phi2" || expected.architecture == "falcon"
            ? R"(, "partial_rotary_factor": 1)"
            : "";
    const Model model = whole_model(config_text(expected.architecture, more));
    const TensorEntry* tensor = find(model, expected.name);
    ASSERT_NE(tensor, nullptr) << expected.architecture << " " << expected.name;
    EXPECT_EQ(tensor->shape, expected.shape) << expected.name;
    EXPECT_TRUE(checked(model).errors.empty()) << expected.architecture;
  }
}

// core/formats/alt/README.md#check-values: Mistral-7B has 291 tensors.
TEST(DecoderTensors, MatchMistral7B) {
  const Model model = whole_model(
      R"({"architecture": "mistral", "n_vocab": 32000, "n_embd": 4096, "n_layers": 32, "n_heads": 32,
          "n_kv_heads": 8, "n_ff": 14336, "max_seq_len": 32768, "tie_word_embeddings": false})");
  EXPECT_EQ(model.tensors.size(), 291U);
  uint64_t dims = 0;
  uint64_t parameters = 0;
  for (const TensorEntry& tensor : model.tensors) {
    dims += tensor.shape.rank();
    parameters += *tensor.shape.count();
  }
  EXPECT_EQ(dims, 517U);
  EXPECT_EQ(parameters, 7'241'732'096U);
}

// core/formats/amb/README.md#config
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

// core/formats/amb/README.md#names
TEST(DecoderTensors, AreFoundWithAndWithoutPrefixAndEnding) {
  for (const char* name :
       {"model.layers.0.self_attn.q_proj.weight", "layers.0.self_attn.q_proj",
        "transformer.layers.0.self_attn.q_proj", "layers.0.self_attn.q_proj.weight"}) {
    EXPECT_EQ(decoder_tensor_key(name), "layers.0.self_attn.q_proj") << name;
    const std::vector<TensorEntry> tensors = {entry(name, {1}), entry("model.norm", {1})};
    const TensorIndex index = decoder_tensor_index(tensors);
    EXPECT_EQ(find_decoder_tensor(index, DecoderArchitecture::Llama, DecoderRole::Query, 0),
              tensors.data());
    EXPECT_EQ(find_decoder_tensor(index, DecoderArchitecture::Llama, DecoderRole::Query, 1),
              nullptr);
  }
  EXPECT_EQ(decoder_tensor_key("h.0.ln_1.bias"), "h.0.ln_1.bias");
}

TEST(DecoderTensors, WithTheSameKeyAreAnError) {
  Model model = whole_model(config_text("llama"));
  model.tensors.push_back(entry("model.norm", {8}));
  const Diagnostics found = checked(model);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].path, concat({"tensors[", model.tensors.size() - 1, "].name"}));
}

TEST(DecoderTensors, MissingOnesAreReportedWithTheirShape) {
  Model model = whole_model(config_text("llama"));
  std::erase_if(model.tensors, [](const auto& t) { return t.name == "norm.weight"; });
  const Diagnostics found = checked(model);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].code, ErrorCode::NotFound);
  EXPECT_EQ(found.errors[0].message, "the tensor norm.weight [8] is missing");
}

// In a hybrid model a layer has the tensors of its kind, and no others.
TEST(DecoderTensors, FitTheKindsOfTheLayers) {
  const std::string config =
      config_text("lfm2", R"(, "conv_taps": 3, "layer_types": ["conv", "full_attention"])");
  Model model = whole_model(config);
  EXPECT_TRUE(checked(model).errors.empty());
  EXPECT_EQ(find(model, "layers.0.conv.conv.weight")->shape, (Shape{8, 3}));
  EXPECT_EQ(find(model, "layers.0.conv.in_proj.weight")->shape, (Shape{24, 8}));
  EXPECT_EQ(find(model, "layers.0.self_attn.q_proj.weight"), nullptr);
  EXPECT_EQ(find(model, "layers.1.conv.conv.weight"), nullptr);
  EXPECT_NE(find(model, "layers.1.self_attn.q_proj.weight"), nullptr);
  std::erase_if(model.tensors, [](const auto& t) { return t.name == "layers.0.conv.conv.weight"; });
  EXPECT_EQ(checked(model).errors.front().message,
            "the tensor layers.0.conv.conv.weight [8, 3] is missing");
  model = whole_model(config);
  model.tensors.push_back(entry("model.layers.0.self_attn.q_proj.weight", {8, 8}));
  const Diagnostics found = checked(model);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].code, ErrorCode::Mismatch);
  EXPECT_EQ(found.errors[0].path, concat({"tensors[", model.tensors.size() - 1, "].name"}));
  EXPECT_EQ(found.errors[0].message,
            "model.layers.0.self_attn.q_proj.weight does not fit: layer 0 is conv in layer_types");
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

TEST(DecoderTensors, OfAMissingLayerGiveOneError) {
  Model model = whole_model(config_text("llama"));
  std::erase_if(model.tensors, [](const auto& t) { return t.name.starts_with("layers.1."); });
  const Diagnostics found = checked(model);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].message,
            "all tensors of 1 of the 2 layers are missing; the first is layer 1");
}

TEST(DecoderTensors, OfExtraLayersGiveAWarning) {
  Model model = whole_model(config_text("gpt2"));
  model.tensors.push_back(entry("transformer.h.2.ln_1.weight", {8}));
  model.tensors.push_back(entry("transformer.h.0.attn.masked_bias", {}));  // a buffer of old files
  const Diagnostics found = checked(model);
  EXPECT_TRUE(found.errors.empty());
  ASSERT_EQ(found.warnings.size(), 1U);
}

TEST(DecoderTensors, TransposedOnesAreReported) {
  Model model = whole_model(config_text("llama"));
  for (TensorEntry& tensor : model.tensors) {
    if (tensor.name == "layers.0.mlp.up_proj.weight") tensor.shape = {8, 12};
  }
  const Diagnostics found = checked(model);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].code, ErrorCode::Mismatch);
  EXPECT_EQ(found.errors[0].message,
            "layers.0.mlp.up_proj.weight is [8, 12], expected [12, 8]; it is stored transposed");
}

TEST(DecoderTensors, FollowTheLinearLayout) {
  const Model model =
      whole_model(config_text("llama", R"(, "n_kv_heads": 2, "linear_layout": "in_out")"));
  EXPECT_EQ(find(model, "layers.0.self_attn.k_proj.weight")->shape, (Shape{8, 4}));
  EXPECT_EQ(find(model, "embed_tokens.weight")->shape, (Shape{16, 8}));
  EXPECT_FALSE(decoder_linear_layout(model_with(R"({"linear_layout": "sideways"})").config));
}

TEST(DecoderTensors, OfFalconHaveTwoNames) {
  Model model = whole_model(config_text("falcon"));
  for (TensorEntry& tensor : model.tensors) {
    if (const size_t at = tensor.name.find("input_layernorm"); at != std::string::npos) {
      tensor.name.replace(at, 15, "ln_attn");
    }
  }
  EXPECT_TRUE(checked(model).errors.empty());
  model.config.set("parallel_residual", false);
  EXPECT_EQ(checked(model).errors.size(), 4U);  // two norms with their biases
}

// A bias in layer 0 is required in every layer.
TEST(DecoderTensors, BiasesAreRequiredInAllLayersOrNone) {
  Model model = whole_model(config_text("llama"));
  model.tensors.push_back(entry("layers.0.self_attn.q_proj.bias", {8}));
  const Diagnostics found = checked(model);
  EXPECT_TRUE(config_of(model).attn_bias);
  EXPECT_EQ(found.errors.size(), 5U);
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

// core/formats/amb/README.md#phi3-mini: the real Phi-3-mini-4k, stated in Hugging Face's names.
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

// core/formats/amb/README.md#phi
TEST(DecoderConfig, DistinguishesPhi2AndPhi3ByTheirTensors) {
  Model model = model_with(config_text("phi", R"(, "partial_rotary_factor": 1)"));
  model.tensors = {entry("model.layers.0.self_attn.qkv_proj.weight", {24, 8})};
  EXPECT_EQ(config_of(model).architecture, DecoderArchitecture::Phi3);
  model.tensors = {entry("model.layers.0.self_attn.q_proj.weight", {8, 8}),
                   entry("model.layers.0.mlp.fc1.weight", {12, 8})};
  EXPECT_EQ(config_of(model).architecture, DecoderArchitecture::Phi2);
  EXPECT_EQ(refused(config_text("phi")).code, ErrorCode::NotFound);
}

// core/formats/amb/README.md#required-keys
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

// core/formats/amb/README.md#rope-scaling
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
