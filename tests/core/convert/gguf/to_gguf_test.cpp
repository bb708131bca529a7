#include "convert/gguf/to_gguf.h"

#include <gtest/gtest.h>

#include "convert/gguf/converted_file.h"
#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "formats/amb/make_amb.h"
#include "formats/embd/make_embd.h"
#include "formats/gguf/config.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/end_tokens.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
namespace amb = formats::amb::testing;
namespace embd = formats::embd::testing;
using tensor::DType;

TEST(GgufToAmb, ReportsDamagedChatTemplates) {
  gg::GgufMaker maker = gpt2();
  maker.metadata.push_back(gg::texts("tokenizer.chat_templates", {"rag"}));
  std::vector<Error> warnings;
  converted_file(maker.make(), to("amb"), &warnings);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings.back().path, "metadata.tokenizer.chat_templates");
  maker.metadata.push_back(gg::u32("tokenizer.chat_template.rag", 1));
  const auto refused = run(maker.make(), {}, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "metadata.tokenizer.chat_template.rag");
}

TEST(AmbToGguf, ReportsEndsWithoutAKey) {
  amb::AmbMaker maker;
  maker.config = amb::tiny_config(R"(, "tokenizer": {"eos_id": [7, 1, 2, 3]})");
  const auto refused = run(maker.make(), {}, to("gguf"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "tokenizer.eos_id");
  Options lossy = to("gguf");
  lossy.lossy = true;
  std::vector<Error> warnings;
  const model::Model made = parsed(converted_file(maker.make(), lossy, &warnings), "gguf");
  EXPECT_EQ(model::end_ids(*made.tokenizer), (std::vector<uint32_t>{7, 1, 2}));
}

// A gemma in Hugging Face's form, with norms minus 1.
TEST(AmbToGguf, AddsTheOneOfGemmasNorms) {
  gg::GgufMaker maker = gemma();
  File file = converted_file(maker.make(), to("amb"));
  const model::Model with_one = parsed(file, "amb");
  amb::AmbMaker again;
  again.tokenizer = {};
  again.tensors.clear();
  for (const model::TensorEntry& tensor : with_one.tensors) {
    std::vector<uint32_t> shape;
    for (const uint64_t extent : tensor.shape.extents()) {
      shape.push_back(static_cast<uint32_t>(extent));
    }
    again.tensors.push_back(amb::tensor(tensor.name, shape));
  }
  again.config =
      R"({"architecture": "gemma", "n_vocab": 8, "n_embd": 32, "n_layers": 1, "n_heads": 2, )"
      R"("head_dim": 16, "max_seq_len": 16})";
  file = again.make();
  const File made = converted_file(file, to("gguf"));
  const model::Model source = parsed(file, "amb");
  const model::Model target = parsed(made, "gguf");
  std::vector<float> expected = values_of(file, source, "model.norm.weight");
  for (float& value : expected) value += 1;
  EXPECT_EQ(values_of(made, target, "output_norm.weight"), expected);
  EXPECT_EQ(values_of(made, target, "blk.0.ffn_up.weight"),
            values_of(file, source, "model.layers.0.mlp.up_proj.weight"));
}

TEST(AmbToGguf, TransposesGpt2sMatrices) {
  gg::GgufMaker maker = gpt2();
  const model::Model names = parsed(converted_file(maker.make(), to("amb")), "amb");
  amb::AmbMaker again;
  again.tensors.clear();
  for (const model::TensorEntry& tensor : names.tensors) {
    std::vector<uint32_t> shape;
    for (const uint64_t extent : tensor.shape.extents()) {
      shape.push_back(static_cast<uint32_t>(extent));
    }
    const bool linear = shape.size() == 2 && tensor.name.find(".h.") != tensor.name.npos;
    if (linear) std::swap(shape[0], shape[1]);
    again.tensors.push_back(amb::tensor(tensor.name, shape));
  }
  again.config =
      R"({"architecture": "gpt2", "n_vocab": 8, "n_embd": 32, "n_layers": 1, "n_heads": 2})";
  const File file = again.make();
  const File made = converted_file(file, to("gguf"));
  const model::Model target = parsed(made, "gguf");
  EXPECT_EQ(tensor_of(target, "blk.0.ffn_up.weight").shape, (tensor::Shape{64, 32}));
  const auto in_out = values_of(file, parsed(file, "amb"), "transformer.h.0.mlp.c_fc.weight");
  const auto out_in = values_of(made, target, "blk.0.ffn_up.weight");
  for (size_t i = 0; i < 32; ++i) {
    for (size_t o = 0; o < 64; ++o) ASSERT_EQ(out_in[o * 32 + i], in_out[i * 64 + o]);
  }
}

TEST(AmbToGguf, PadsTheVocabularyToTheRowsOfTheEmbedding) {
  amb::AmbMaker maker;
  maker.tokenizer = amb::tokenizer_head(formats::amb::TokenizerType::Bpe, {5, 5});
  formats::testing::put(maker.tokenizer, uint32_t{0});
  formats::testing::put(maker.tokenizer, uint32_t{3});
  for (const auto& [id, token] : {std::pair(4U, "d"), std::pair(0U, "a"), std::pair(5U, "<s>")}) {
    formats::testing::put(maker.tokenizer, uint32_t{id});
    amb::put_string(maker.tokenizer, token);
  }
  maker.config = amb::tiny_config(
      R"(, "tokenizer": {"pretokenizer": "llama3", "chat_template": "t", "add_bos": true, )"
      R"("added_tokens": [{"id": 5, "content": "<s>"}, {"id": 6, "content": "<u>", )"
      R"("special": false}]})");
  const model::Model target = parsed(converted_file(maker.make(), to("gguf")), "gguf");
  const model::TokenizerData& tokenizer = *target.tokenizer;
  ASSERT_EQ(tokenizer.vocabulary.size(), 8U);
  const char* kTokens[] = {"a", "[PAD1]", "[PAD2]", "[PAD3]", "d", "<s>", "<u>", "[PAD7]"};
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(tokenizer.vocabulary[i], kTokens[i]);
  EXPECT_EQ(tokenizer.types, (std::vector<uint8_t>{1, 5, 5, 5, 1, 3, 4, 5}));
  EXPECT_EQ(target.metadata.find("tokenizer.ggml.pre")->string(), "llama-bpe");
  EXPECT_EQ(target.metadata.find("tokenizer.chat_template")->string(), "t");
  EXPECT_TRUE(target.metadata.find("tokenizer.ggml.add_bos_token")->boolean());
}

// The tokens that a template has besides the text.
std::string template_of(const char* single) {
  return concat({R"(, "tokenizer": {"bos_id": 1, "eos_id": 2, "post_processor": {"type":
      "TemplateProcessing", "single": [)",
                 single, R"(], "special_tokens": {"x": {"ids": [3]}, "e": {"ids": [2]}}}})"});
}

File with_settings(const std::string& more) {
  amb::AmbMaker maker;
  maker.tokenizer = amb::bpe_tokenizer();
  maker.config = amb::tiny_config(more);
  return maker.make();
}

// As llama.cpp's converter does with Qwen3-Embedding: the end of a text becomes EOS, and what was
// EOS ends a turn.
TEST(AmbToGguf, KeepsTheIdsOfTheTemplate) {
  constexpr const char* kAfter = R"({"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "x"}})";
  const File made = converted_file(with_settings(template_of(kAfter)), to("gguf"));
  const model::Model target = parsed(made, "gguf");
  const auto value = [&](const char* key) { return target.metadata.find(key)->dump(); };
  EXPECT_EQ(value("tokenizer.ggml.add_bos_token"), "false");
  EXPECT_EQ(value("tokenizer.ggml.add_eos_token"), "true");
  EXPECT_EQ(value("tokenizer.ggml.eos_token_id"), "3");
  EXPECT_EQ(value("tokenizer.ggml.eot_token_id"), "2");
  EXPECT_EQ(target.tokenizer->eos_ids, (std::vector<uint32_t>{3, 2}));
  const model::Model again = parsed(converted_file(made, to("amb")), "amb");
  EXPECT_EQ(again.tokenizer->eos_ids, (std::vector<uint32_t>{3, 2}));
  EXPECT_EQ(again.tokenizer->add_eos, true);
  constexpr const char* kBefore = R"({"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "A"}})";
  const model::Model before =
      parsed(converted_file(with_settings(template_of(kBefore)), to("gguf")), "gguf");
  EXPECT_EQ(before.tokenizer->bos_id, 3U);
  EXPECT_EQ(before.tokenizer->add_bos, true);
  EXPECT_EQ(before.tokenizer->add_eos, false);
}

TEST(AmbToGguf, RefusesATemplateOfSeveralTokens) {
  const std::string single =
      R"({"SpecialToken": {"id": "x"}}, {"SpecialToken": {"id": "e"}}, {"Sequence": {"id": "A"}})";
  const File file = with_settings(template_of(single.c_str()));
  const auto refused = run(file, {}, to("gguf"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "tokenizer.post_processor");
  Options lossy = to("gguf");
  lossy.lossy = true;
  converted_file(file, lossy);
}

// llama.cpp knows the spaces of Phi-3's tokens by the name of the model.
TEST(AmbToGguf, WarnsOfAddedTokensThatTakeSpaces) {
  const auto n_warnings = [](const char* name) {
    amb::AmbMaker maker;
    maker.tokenizer = amb::bpe_tokenizer();
    maker.metadata = concat({R"({"name": ")", name, R"("})"});
    maker.config = amb::tiny_config(
        R"(, "tokenizer": {"added_tokens": [{"id": 5, "content": "<|end|>", "rstrip": true}]})");
    std::vector<Error> warnings;
    const model::Model made = parsed(converted_file(maker.make(), to("gguf"), &warnings), "gguf");
    const bool warned = std::ranges::any_of(
        warnings, [](const Error& error) { return error.path == "tokenizer.added_tokens"; });
    EXPECT_NE(warned, made.tokenizer->added_tokens.back().rstrip);
    return warned;
  };
  EXPECT_TRUE(n_warnings("other"));
  EXPECT_FALSE(n_warnings("Phi-3 mini"));
}

TEST(AmbToGguf, RefusesTokenizerSettingsThatHaveNoKey) {
  const std::pair<const char*, const char*> settings[] = {
      {R"("normalizer": "nfkc")", "tokenizer.normalizer"},
      {R"("pretokenizer": "gptneox", "normalizer": "none")", "tokenizer.normalizer"},
      {R"("ignore_merges": true)", "tokenizer.ignore_merges"},
      {R"("end_of_word_suffix": "</w>")", "tokenizer.end_of_word_suffix"},
      {R"("byte_fallback": true)", "tokenizer.byte_fallback"}};
  for (const auto& [setting, path] : settings) {
    amb::AmbMaker maker;
    maker.tokenizer = amb::bpe_tokenizer();
    maker.config = amb::tiny_config(concat({R"(, "tokenizer": {)", setting, "}"}));
    const auto refused = run(maker.make(), {}, to("gguf"));
    ASSERT_FALSE(refused) << setting;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().path, path);
  }
}

// The names of one rule differ in settings, which are those of the file when it is read again.
TEST(AmbToGguf, ChoosesTheNameWithTheSettings) {
  const std::pair<const char*, const char*> settings[] = {
      {R"("pretokenizer": "qwen2", "normalizer": "none")", "deepseek-r1-qwen"},
      {R"("pretokenizer": "qwen2")", "qwen2"},
      {R"("pretokenizer": "tekken", "ignore_merges": true)", "tekken"},
      {R"("pretokenizer": "o200k", "ignore_merges": true)", "granite-embed-multi-97m"},
      {R"("pretokenizer": "bloom+digits")", "viking"},
      {R"("pretokenizer": "llama3")", "llama-bpe"}};
  for (const auto& [setting, name] : settings) {
    amb::AmbMaker maker;
    maker.tokenizer = amb::bpe_tokenizer();
    maker.config = amb::tiny_config(concat({R"(, "tokenizer": {)", setting, "}"}));
    const model::Model before = parsed(maker.make(), "amb");
    const model::Model after = parsed(converted_file(maker.make(), to("gguf")), "gguf");
    EXPECT_EQ(after.metadata.find("tokenizer.ggml.pre")->string(), name);
    EXPECT_EQ(after.tokenizer->pretokenizer, before.tokenizer->pretokenizer);
    EXPECT_EQ(model::text_changes_of(*after.tokenizer), model::text_changes_of(*before.tokenizer));
    EXPECT_FALSE(after.tokenizer->add_bos.value_or(false)) << name;
  }
}

TEST(AmbToGguf, DequantizesUnsupportedTypesOnlyIfLossy) {
  amb::AmbMaker maker;
  maker.tensors = amb::mixed_tensors();
  const File file = maker.make();
  const auto refused = run(file, {}, to("gguf"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  const File made = converted_file(file, to("gguf", DType::F32));
  const model::Model source = parsed(file, "amb");
  const model::Model target = parsed(made, "gguf");
  EXPECT_EQ(values_of(made, target, "blk.0.ffn_down.weight"),
            values_of(file, source, "model.layers.0.mlp.down_proj.weight"));
  EXPECT_EQ(halves(values_of(made, target, "blk.0.attn_q.weight"), 8, 4),
            values_of(file, source, "model.layers.0.self_attn.q_proj.weight"));
}

// The factors that llama.cpp's converter writes for Llama 3.1 with heads of 128 dimensions: pairs
// up to 28 rotate more than 4 times within 8192 positions, and those from 35 on less than once.
TEST(AmbToGguf, WritesTheFactorsOfLlama3) {
  amb::AmbMaker maker;
  maker.config =
      R"({"architecture": "llama", "n_vocab": 8, "n_embd": 8, "n_layers": 1, "n_heads": 1, )"
      R"("head_dim": 128, "max_seq_len": 131072, "rope_freq_base": 500000.0, "rope_scaling": )"
      R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, )"
      R"("original_max_position_embeddings": 8192}})";
  const auto plain = amb::tiny_tensors();
  maker.tensors.clear();
  for (const amb::Tensor& from : plain) {
    std::vector<uint32_t> shape = from.shape;
    const auto has = [&](const char* part) { return from.name.find(part) != from.name.npos; };
    if (has("q_proj") || has("k_proj") || has("v_proj")) shape = {128, 8};
    if (has("o_proj")) shape = {8, 128};
    maker.tensors.push_back(amb::tensor(from.name, shape));
  }
  const File made = converted_file(maker.make(), to("gguf"));
  const model::Model target = parsed(made, "gguf");
  EXPECT_EQ(target.metadata.find("llama.rope.scaling.type"), nullptr);
  EXPECT_EQ(tensor_of(target, "rope_freqs.weight").shape, (tensor::Shape{64}));
  const std::vector<float> factors = values_of(made, target, "rope_freqs.weight");
  ASSERT_EQ(factors.size(), 64U);
  for (size_t i = 0; i < 29; ++i) EXPECT_EQ(factors[i], 1.0F) << i;
  const float between[] = {1.207484F, 1.553415F, 2.026313F, 2.69453F, 3.684253F, 5.257327F};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(factors[29 + i], between[i], 1e-5F) << i;
  for (size_t i = 35; i < 64; ++i) EXPECT_EQ(factors[i], 8.0F) << i;
  // The tensor becomes the same factors again.
  const File again = converted_file(converted_file(made, to("amb")), to("gguf"));
  EXPECT_EQ(values_of(again, parsed(again, "gguf"), "rope_freqs.weight"), factors);
}

TEST(AmbToGguf, ReportsSettingsThatGgufCannotStore) {
  const auto refused = [](const std::string& more, const char* path) {
    amb::AmbMaker maker;
    maker.config = amb::tiny_config(more);
    const auto made = run(maker.make(), {}, to("gguf"));
    ASSERT_FALSE(made) << more;
    EXPECT_EQ(made.error().code, ErrorCode::Unsupported) << more;
    EXPECT_EQ(made.error().path, path) << more;
  };
  refused(R"(, "activation_fn": "relu")", "config");
  refused(R"(, "final_softcap": 30.0)", "config");
  refused(R"(, "partial_rotary_factor": 0.5)", "config.partial_rotary_factor");
  refused(R"(, "rope_scaling": {"type": "dynamic", "factor": 8})", "config");

  amb::AmbMaker maker;
  maker.tensors.push_back(amb::tensor("classifier.weight", {2, 8}));
  const File file = maker.make();
  const auto made = run(file, {}, to("gguf"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "classifier.weight");
  Options lossy = to("gguf");
  lossy.lossy = true;
  std::vector<Error> warnings;
  converted_file(file, lossy, &warnings);
  EXPECT_TRUE(std::ranges::any_of(
      warnings, [](const Error& error) { return error.path == "classifier.weight"; }));
}

TEST(EmbdToGguf, UsesLlamaCppsNamesForAnEncoder) {
  const File file = embd::make_f0();
  const File made = converted_file(file, to("gguf"));
  const model::Model source = parsed(file, "embd");
  const model::Model target = parsed(made, "gguf");
  EXPECT_EQ(target.metadata.find("general.architecture")->string(), "bert");
  EXPECT_EQ(target.metadata.find("general.name")->string(), "tiny");
  EXPECT_EQ(target.metadata.find("bert.attention.head_count")->uint(), 2U);
  EXPECT_EQ(target.metadata.find("bert.pooling_type")->uint(), 1U);
  EXPECT_EQ(target.tensors.size(), source.tensors.size());
  EXPECT_EQ(values_of(made, target, "blk.0.attn_output_norm.weight"),
            values_of(file, source, "encoder.layer.0.attention.output.LayerNorm.weight"));
  EXPECT_EQ(target.tokenizer->vocabulary, source.tokenizer->vocabulary);
}

TEST(EmbdToGguf, ReportsFactsWithoutAKey) {
  const std::pair<const char*, const char*> kFacts[] = {{"pooling_mode", "max"},
                                                        {"hidden_act", "relu"},
                                                        {"normalize", "false"},
                                                        {"prompts", R"({"query": "q: "})"}};
  for (const auto& [key, value] : kFacts) {
    embd::F0Maker maker;
    maker.metadata.emplace_back(key, value);
    const auto made = run(maker.make(), {}, to("gguf"));
    ASSERT_FALSE(made) << key;
    EXPECT_EQ(made.error().code, ErrorCode::Unsupported) << key;
  }
}

TEST(EmbdToGguf, DropsThePoolerOnlyIfLossy) {
  embd::F0Maker maker;
  maker.tensors.push_back({"pooler.dense.weight", {4, 4}});
  maker.tensors.push_back({"pooler.dense.bias", {4}});
  const File file = maker.make();
  const auto refused = run(file, {}, to("gguf"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "pooler.dense.weight");
  Options lossy = to("gguf");
  lossy.lossy = true;
  std::vector<Error> warnings;
  converted_file(file, lossy, &warnings);
  EXPECT_EQ(warnings.size(), 2U);
}

}  // namespace
}  // namespace ambry::convert
