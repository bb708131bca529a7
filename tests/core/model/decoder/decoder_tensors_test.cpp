#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/decoder/decoder_models.h"

namespace ambry::model {
namespace {

using io::Diagnostics;
using tensor::Shape;

Diagnostics checked(const Model& model) {
  Diagnostics found;
  check_decoder_tensors(model, config_of(model), found);
  return found;
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

// core/formats/amb/README.md#phi3-mini: the real Phi-3-mini-4k, stated in Hugging Face's names.

// core/formats/amb/README.md#phi

// core/formats/amb/README.md#required-keys

// core/formats/amb/README.md#rope-scaling

}  // namespace
}  // namespace ambry::model
