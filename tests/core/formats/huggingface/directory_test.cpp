#include "formats/huggingface/directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ambry::formats::huggingface {
namespace {

constexpr const char* kConfig =
    R"({"model_type":"bert","vocab_size":5,"hidden_size":8,"num_hidden_layers":3,
        "num_attention_heads":2,"intermediate_size":16,"max_position_embeddings":64,
        "type_vocab_size":1,"layer_norm_eps":1e-05,"hidden_act":"relu"})";
constexpr const char* kModules = R"([
  {"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
  {"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])";
constexpr const char* kVocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";

SideFiles bare() {
  SideFiles files;
  files.add("config.json", kConfig);
  files.add("vocab.txt", kVocab);
  return files;
}

SideFiles sentence_model(
    const char* pooling =
        R"({"word_embedding_dimension":8,"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false})") {
  SideFiles files = bare();
  files.add("modules.json", kModules);
  files.add("1_Pooling/config.json", pooling);
  return files;
}

Result<Directory> read_files(const SideFiles& files) {
  io::Diagnostics diagnostics;
  return read_directory(files, diagnostics);
}

TEST(HuggingFace, ReadsABareBertAsMeanAndUnitLength) {
  io::Diagnostics diagnostics;
  const auto directory = read_directory(bare(), diagnostics);
  ASSERT_TRUE(directory) << describe(directory.error());
  const auto& config = directory->config;
  EXPECT_EQ(config.hidden_size, 8U);
  EXPECT_EQ(config.num_layers, 3U);
  EXPECT_EQ(config.type_vocab_size, 1U);
  EXPECT_EQ(config.layer_norm_eps, 1e-5);
  EXPECT_EQ(config.hidden_act, "relu");
  EXPECT_EQ(config.pooling, "mean");
  EXPECT_TRUE(config.normalize);
  EXPECT_EQ(config.max_seq_length, 64U);
  EXPECT_EQ(directory->model_name, "model");
  ASSERT_EQ(diagnostics.warnings.size(), 2U);
  EXPECT_EQ(diagnostics.warnings[0].path, "vocab.txt");
  EXPECT_EQ(diagnostics.warnings[1].path, "modules.json");
}

// As jina-embeddings-v5 lies on the hub. A model that an adapter is merged into has a pooling.
TEST(HuggingFace, RefusesAdaptersInFilesOfTheirOwn) {
  SideFiles files;
  files.add("config.json", R"({"model_type":"jina_embeddings_v5","task_names":["retrieval"],
      "vocab_size":5,"hidden_size":8,"num_attention_heads":2})");
  files.add("vocab.txt", kVocab);
  files.add("modules.json", R"([{"path":"","type":"custom_st.Transformer"}])");
  const auto directory = read_files(files);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(directory.error().path, "config.json.task_names");
  SideFiles merged = sentence_model(R"({"pooling_mode_lasttoken":true})");
  files.add("1_Pooling/config.json", *merged.find("1_Pooling/config.json"));
  SideFiles pooled;
  for (const char* name : {"config.json", "vocab.txt", "1_Pooling/config.json"}) {
    pooled.add(name, *files.find(name));
  }
  pooled.add("modules.json", kModules);
  const auto read = read_files(pooled);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->config.pooling, "lasttoken");
}

TEST(HuggingFace, WarnsWhereNothingSaysThatAVocabularyIsUncased) {
  const auto warnings_of = [](const SideFiles& files, std::optional<bool> lowercase,
                              bool expected) {
    io::Diagnostics diagnostics;
    const auto directory = read_directory(files, diagnostics, {.lowercase = lowercase, .head = {}});
    EXPECT_TRUE(directory) << describe(directory.error());
    EXPECT_EQ(directory->tokenizer.lowercase, expected);
    return diagnostics.warnings;
  };
  SideFiles files = sentence_model();
  const auto assumed = warnings_of(files, std::nullopt, true);
  ASSERT_EQ(assumed.size(), 1U);
  EXPECT_EQ(assumed[0].code, ErrorCode::NotFound);
  EXPECT_EQ(assumed[0].path, "vocab.txt");
  EXPECT_NE(assumed[0].message.find("--cased"), std::string::npos);
  EXPECT_TRUE(warnings_of(files, true, true).empty());
  EXPECT_TRUE(warnings_of(files, false, false).empty());
  files.add("tokenizer_config.json", R"({"model_max_length":64})");
  EXPECT_EQ(warnings_of(files, std::nullopt, true).size(), 1U);
  files.add("tokenizer_config.json", R"({"do_lower_case":false})");
  EXPECT_TRUE(warnings_of(files, std::nullopt, false).empty());
  io::Diagnostics diagnostics;
  const auto stated = read_directory(files, diagnostics, {.lowercase = false, .head = {}});
  ASSERT_FALSE(stated);
  EXPECT_EQ(stated.error().code, ErrorCode::BadValue);
  EXPECT_EQ(stated.error().path, "options.lowercase");
}

TEST(HuggingFace, NormalisesOnlyWhenTheModulesSaySo) {
  EXPECT_FALSE(read_files(sentence_model())->config.normalize);
  EXPECT_EQ(read_files(sentence_model())->config.pooling, "cls");
  SideFiles files = sentence_model();
  std::string modules = kModules;
  modules.insert(modules.size() - 1,
                 R"(,{"path":"2_Normalize","type":"sentence_transformers.models.Normalize"})");
  files.add("modules.json", modules);
  EXPECT_TRUE(read_files(files)->config.normalize);
}

TEST(HuggingFace, RefusesOtherModulesByName) {
  SideFiles files = sentence_model();
  std::string modules = kModules;
  modules.insert(modules.size() - 1,
                 R"(,{"path":"2_Dropout","type":"sentence_transformers.models.Dropout"})");
  files.add("modules.json", modules);
  const auto dropout = read_files(files);
  ASSERT_FALSE(dropout);
  EXPECT_EQ(dropout.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(dropout.error().path, "modules.json[2].type");
  EXPECT_NE(dropout.error().message.find("Dropout"), std::string::npos);
  files.add("modules.json",
            R"([{"path":"","type":"sentence_transformers.models.StaticEmbedding"}])");
  EXPECT_EQ(read_files(files).error().code, ErrorCode::Unsupported);
  files.add("modules.json", R"([{"path":"","type":"sentence_transformers.models.Transformer"}])");
  EXPECT_EQ(read_files(files).error().code, ErrorCode::Unsupported);
}

TEST(HuggingFace, ReadsDenseModulesAfterThePooling) {
  SideFiles files = sentence_model();
  std::string modules = kModules;
  modules.insert(modules.size() - 1,
                 R"(,{"path":"2_Dense","type":"sentence_transformers.models.Dense"})");
  files.add("modules.json", modules);
  EXPECT_EQ(read_files(files).error().path, "2_Dense/config.json");
  files.add("2_Dense/config.json",
            R"({"in_features":8,"out_features":3,"bias":true,
                "activation_function":"torch.nn.modules.activation.Tanh"})");
  const auto directory = read_files(files);
  ASSERT_TRUE(directory) << describe(directory.error());
  EXPECT_EQ(directory->dense_folders, (std::vector<std::string>{"2_Dense/"}));
  EXPECT_EQ(directory->config.embedding_size(), 3U);
  EXPECT_FALSE(directory->config.normalize);
}

TEST(HuggingFace, RefusesSeveralPoolingsNamingThem) {
  const auto both = read_files(
      sentence_model(R"({"pooling_mode_cls_token":true,"pooling_mode_max_tokens":true})"));
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::Unsupported);
  EXPECT_NE(both.error().message.find("cls and max"), std::string::npos);
  EXPECT_EQ(read_files(sentence_model("{}")).error().code, ErrorCode::Unsupported);
  EXPECT_EQ(read_files(sentence_model(R"({"pooling_mode_weightedmean_tokens":true})")).error().code,
            ErrorCode::Unsupported);
  EXPECT_EQ(read_files(
                sentence_model(R"({"pooling_mode_mean_tokens":true,"word_embedding_dimension":9})"))
                .error()
                .code,
            ErrorCode::Mismatch);
}

TEST(HuggingFace, KnowsEveryPooling) {
  const std::pair<const char*, const char*> kModes[] = {
      {"pooling_mode_cls_token", "cls"},
      {"pooling_mode_max_tokens", "max"},
      {"pooling_mode_mean_tokens", "mean"},
      {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len"},
      {"pooling_mode_lasttoken", "lasttoken"}};
  for (const auto& [key, name] : kModes) {
    const std::string text = std::string("{\"") + key + R"(":true,"include_prompt":false})";
    const auto directory = read_files(sentence_model(text.c_str()));
    ASSERT_TRUE(directory) << key;
    EXPECT_EQ(directory->config.pooling, name);
    EXPECT_FALSE(directory->config.include_prompt);
  }
}

TEST(HuggingFace, TakesTheLengthFromTheFirstThatStatesIt) {
  SideFiles files = sentence_model();
  files.add("tokenizer_config.json", R"({"model_max_length":32})");
  EXPECT_EQ(read_files(files)->config.max_seq_length, 32U);
  files.add("tokenizer_config.json", R"({"model_max_length":1000000000000000019884624838656})");
  EXPECT_EQ(read_files(files)->config.max_seq_length, 64U);
  files.add("sentence_bert_config.json", R"({"max_seq_length":16,"do_lower_case":false})");
  EXPECT_EQ(read_files(files)->config.max_seq_length, 16U);
  files.add("sentence_bert_config.json", R"({"max_seq_length":null})");
  EXPECT_EQ(read_files(files)->config.max_seq_length, 64U);
}

TEST(HuggingFace, ReadsPrompts) {
  SideFiles files = sentence_model();
  files.add("config_sentence_transformers.json",
            R"({"prompts":{"query":"query: ","document":""},"default_prompt_name":"query"})");
  const auto directory = read_files(files);
  ASSERT_TRUE(directory);
  ASSERT_EQ(directory->config.prompts.size(), 2U);
  EXPECT_EQ(directory->config.prompts[0].second, "query: ");
  EXPECT_EQ(directory->config.default_prompt_name, "query");
}

TEST(HuggingFace, ReadsTheTransformerInItsOwnFolder) {
  SideFiles files;
  files.add("0_Transformer/config.json", kConfig);
  files.add("0_Transformer/vocab.txt", kVocab);
  files.add("0_Transformer/sentence_bert_config.json", R"({"max_seq_length":20})");
  files.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens":true})");
  files.add("modules.json",
            R"([{"path":"0_Transformer","type":"sentence_transformers.models.Transformer"},
    {"path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])");
  const auto directory = read_files(files);
  ASSERT_TRUE(directory) << describe(directory.error());
  EXPECT_EQ(directory->config.max_seq_length, 20U);
}

TEST(HuggingFace, NamesAModuleOfOtherCode) {
  const auto warned = [](const std::string& type) {
    SideFiles files = bare();
    files.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens":true})");
    files.add("modules.json", concat({R"([{"path":"","type":")", type, R"("},
      {"path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])"}));
    io::Diagnostics diagnostics;
    EXPECT_TRUE(read_directory(files, diagnostics));
    return std::ranges::any_of(diagnostics.warnings, [](const Error& warning) {
      return warning.path == "modules.json[0].type" &&
             warning.message.find("custom_st.Transformer, is not run") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned("custom_st.Transformer"));
  EXPECT_FALSE(warned("sentence_transformers.models.Transformer"));
  EXPECT_FALSE(warned("sentence_transformers.base.modules.transformer.Transformer"));
}

TEST(HuggingFace, SaysWhereALanguageModelMayLie) {
  SideFiles files;
  files.add("0_Transformer/config.json", R"({"model_type":"qwen3"})");
  files.add("modules.json",
            R"([{"path":"0_Transformer","type":"sentence_transformers.models.Transformer"}])");
  const auto directory = read_files(files);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().path, "0_Transformer/config.json.model_type");
  EXPECT_NE(directory.error().message.find("to the top of the directory"), std::string::npos);
}

TEST(HuggingFace, RefusesOtherModelsByName) {
  const std::pair<const char*, const char*> kOther[] = {
      {R"({"model_type":"longformer"})", "longformer"},
      {R"({"model_type":"llama"})", "amb"},
      {R"({"architectures":["XLNetModel"]})", "XLNetModel"},
      {R"({})", "not stated"},
      {R"({"model_type":"bert","position_embedding_type":"relative_key"})", "relative_key"},
      {R"({"model_type":"bert","is_decoder":true})", "decoder"}};
  for (const auto& [config, named] : kOther) {
    SideFiles files = bare();
    files.add("config.json", config);
    const auto directory = read_files(files);
    ASSERT_FALSE(directory) << config;
    EXPECT_EQ(directory.error().code, ErrorCode::Unsupported);
    EXPECT_NE(directory.error().message.find(named), std::string::npos)
        << directory.error().message;
  }
  SideFiles files = bare();
  files.add("config.json", R"({"architectures":["BertForMaskedLM"]})");
  EXPECT_TRUE(read_files(files));
}

TEST(HuggingFace, PointsIntoTheFaultyFile) {
  SideFiles files = bare();
  files.add("config.json", R"({"model_type":"bert","hidden_size":"wide"})");
  const auto wide = read_files(files);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().path, "config.json.hidden_size");
  EXPECT_EQ(wide.error().byte_offset, 35U);
  files.add("config.json", R"({"model_type":"bert",})");
  EXPECT_EQ(read_files(files).error().path, "config.json");
  EXPECT_EQ(read_files(files).error().byte_offset, 21U);
}

TEST(HuggingFace, NamesMissingFiles) {
  EXPECT_EQ(read_files({}).error().path, "config.json");
  EXPECT_EQ(read_files({}).error().code, ErrorCode::NotFound);
  SideFiles files;
  files.add("config.json", kConfig);
  EXPECT_EQ(read_files(files).error().path, "tokenizer.json");
  files = bare();
  files.add("modules.json", kModules);
  EXPECT_EQ(read_files(files).error().path, "1_Pooling/config.json");
}

TEST(HuggingFace, LowersTextBeforeACasedTokenizerWithoutStrippingAccents) {
  SideFiles files = sentence_model();
  files.add("tokenizer_config.json", R"({"do_lower_case":false})");
  files.add("sentence_bert_config.json", R"({"max_seq_length":16,"do_lower_case":true})");
  const auto directory = read_files(files);
  ASSERT_TRUE(directory);
  EXPECT_TRUE(directory->tokenizer.lowercase);
  EXPECT_EQ(directory->tokenizer.strip_accents, false);
}

TEST(HuggingFace, NotesTheSimilarityAndTheLengthOfVectors) {
  SideFiles files = sentence_model();
  EXPECT_EQ(read_files(files)->noted.dump(), "{}");
  files.add("config_sentence_transformers.json",
            R"({"similarity_fn_name":"dot","truncate_dim":4,"prompts":{"query":"q: "}})");
  const auto directory = read_files(files);
  ASSERT_TRUE(directory) << describe(directory.error());
  EXPECT_EQ(directory->noted.dump(), R"({"similarity_fn_name":"dot","truncate_dim":"4"})");
  EXPECT_EQ(directory->config.prompts.size(), 1U);
  files.add("config_sentence_transformers.json", R"({"truncate_dim":"four"})");
  EXPECT_EQ(read_files(files).error().path, "config_sentence_transformers.json.truncate_dim");
}

}  // namespace
}  // namespace ambry::formats::huggingface
