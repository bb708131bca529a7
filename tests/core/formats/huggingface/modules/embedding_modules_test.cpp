#include "formats/huggingface/modules/embedding_modules.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/decoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

constexpr const char* kModulesOfQwen = R"([
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
  {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
  {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}
])";
constexpr const char* kModulesOfGemma = R"([
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
  {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
  {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"},
  {"idx": 3, "name": "3", "path": "3_Dense", "type": "sentence_transformers.models.Dense"},
  {"idx": 4, "name": "4", "path": "4_Normalize", "type": "sentence_transformers.models.Normalize"}
])";

// The files of a Qwen3-Embedding, with a width of 8.
SideFiles qwen_files() {
  SideFiles files;
  files.add("config.json", R"({"model_type": "qwen3", "hidden_size": 8})");
  files.add("modules.json", kModulesOfQwen);
  files.add("1_Pooling/config.json", R"({"word_embedding_dimension": 8,
    "pooling_mode_cls_token": false, "pooling_mode_mean_tokens": false,
    "pooling_mode_lasttoken": true, "include_prompt": true})");
  files.add("config_sentence_transformers.json",
            R"({"prompts": {"query": "Instruct: find\nQuery:", "document": ""},
                "default_prompt_name": null})");
  files.add("tokenizer_config.json", R"({"model_max_length": 131072})");
  return files;
}

SideFiles gemma_files() {
  SideFiles files;
  files.add("config.json", R"({"model_type": "gemma3_text", "hidden_size": 8,
    "use_bidirectional_attention": true, "sliding_window": 512})");
  files.add("modules.json", kModulesOfGemma);
  files.add("1_Pooling/config.json",
            R"({"word_embedding_dimension": 8, "pooling_mode_mean_tokens": true})");
  files.add("2_Dense/config.json", R"({"in_features": 8, "out_features": 20, "bias": false,
    "activation_function": "torch.nn.modules.linear.Identity"})");
  files.add("3_Dense/config.json", R"({"in_features": 20, "out_features": 8, "bias": false,
    "activation_function": "torch.nn.modules.linear.Identity"})");
  files.add("sentence_bert_config.json", R"({"max_seq_length": 2048, "do_lower_case": false})");
  return files;
}

void expect_failure(const SideFiles& files, ErrorCode code, std::string_view path) {
  const auto read = read_decoder_config(files, "");
  ASSERT_FALSE(read) << path;
  EXPECT_EQ(read.error().code, code) << describe(read.error());
  EXPECT_EQ(read.error().path, path) << describe(read.error());
}

TEST(EmbeddingModules, ReadsALastTokenModelWithInstructions) {
  const auto read = read_embedding_modules(qwen_files(), 8);
  ASSERT_TRUE(read) << describe(read.error());
  ASSERT_TRUE(read->has_value());
  const model::EmbeddingConfig& config = (*read)->config;
  EXPECT_EQ(config.pooling, "lasttoken");
  EXPECT_TRUE(config.normalize);
  EXPECT_EQ(config.max_seq_len, 131072U);
  ASSERT_EQ(config.prompts.size(), 2U);
  EXPECT_EQ(config.prompts[0].second, "Instruct: find\nQuery:");
  EXPECT_EQ(config.default_prompt_name, "");
}

TEST(EmbeddingModules, ReadsABidirectionalModelWithDenseLayers) {
  const auto read = read_decoder_config(gemma_files(), "");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->config.find("bidirectional_attention")->dump(), "true");
  EXPECT_EQ(read->config.find("embedding")->dump(),
            R"({"pooling":"mean","normalize":true,"max_seq_len":2048,"dense":[)"
            R"({"in_features":8,"out_features":20,"bias":false,"activation":"identity"},)"
            R"({"in_features":20,"out_features":8,"bias":false,"activation":"identity"}]})");
  EXPECT_EQ(read->dense_folders, (std::vector<std::string>{"2_Dense/", "3_Dense/"}));
}

TEST(EmbeddingModules, AModelWithoutThemOnlyGenerates) {
  SideFiles files;
  files.add("config.json", R"({"model_type": "qwen3", "hidden_size": 8})");
  const auto read = read_decoder_config(files, "");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->config.find("embedding"), nullptr);
}

TEST(EmbeddingModules, AModelWithoutNormalizeGivesVectorsOfAnyLength) {
  SideFiles files = qwen_files();
  std::string modules = kModulesOfQwen;
  modules = modules.substr(0, modules.rfind(",\n  {\"idx\": 2")) + "]";
  files.add("modules.json", modules);
  const auto read = read_embedding_modules(files, 8);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_FALSE((*read)->config.normalize);
}

TEST(EmbeddingModules, RefusesAPoolingThatIsNotKnown) {
  SideFiles files = qwen_files();
  files.add("1_Pooling/config.json", R"({"pooling_mode_weightedmean_tokens": true})");
  expect_failure(files, ErrorCode::Unsupported,
                 "1_Pooling/config.json.pooling_mode_weightedmean_tokens");
  files.add("1_Pooling/config.json", R"({"pooling_mode": "attention"})");
  expect_failure(files, ErrorCode::Unsupported, "1_Pooling/config.json.pooling_mode");
}

TEST(EmbeddingModules, RefusesADenseModuleOfTheWrongWidth) {
  SideFiles files = gemma_files();
  files.add("3_Dense/config.json", R"({"in_features": 21, "out_features": 8, "bias": false,
    "activation_function": "torch.nn.modules.linear.Identity"})");
  expect_failure(files, ErrorCode::Mismatch, "3_Dense/config.json.in_features");
}

TEST(EmbeddingModules, RefusesTextsInLowerCase) {
  SideFiles files = gemma_files();
  files.add("sentence_bert_config.json", R"({"do_lower_case": true})");
  expect_failure(files, ErrorCode::Unsupported, "sentence_bert_config.json.do_lower_case");
}

}  // namespace
}  // namespace ambry::formats::huggingface
