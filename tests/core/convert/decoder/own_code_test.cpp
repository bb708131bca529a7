// Directories of language models that name code of their own, and those that were made for
// something else than writing text.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "convert/decoder/decoder_directory.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

std::string config_with(const std::string& more) {
  return R"({"model_type":"llama","vocab_size":10,"hidden_size":8,"num_hidden_layers":2,
    "num_attention_heads":4,"intermediate_size":12,"max_position_embeddings":32)" +
         more + "}";
}

DecoderDirectory directory_with(const std::string& more) {
  return DecoderDirectory::make(config_with(more), "model.");
}

// The warnings with this path. There is at most one.
std::string warning_at(const DecoderDirectory& directory, std::string_view path) {
  std::vector<Error> warnings;
  const auto file = run(directory.weights(), directory.files, to("amb"), &warnings);
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return {};
  const auto found = std::ranges::find(warnings, path, &Error::path);
  return found == warnings.end() ? std::string() : found->message;
}

constexpr const char* kOwnCode =
    R"(,"auto_map":{"AutoConfig":"a.C","AutoModelForCausalLM":"modeling_own.OwnForCausalLM"})";

TEST(OwnCode, IsNamedInAWarningWhereTheWeightsFit) {
  EXPECT_EQ(warning_at(directory_with(kOwnCode), "config.json.auto_map"),
            "code of the model's own, modeling_own.OwnForCausalLM, is not run; the model runs as "
            "llama does");
  EXPECT_EQ(
      warning_at(directory_with(R"(,"auto_map":{"AutoConfig":"a.C"})"), "config.json.auto_map"),
      "");
}

TEST(OwnCode, IsNamedInTheErrorOfWeightsThatDoNotFit) {
  for (const char* format : {"amb", "alt"}) {
    DecoderDirectory directory = directory_with(kOwnCode);
    directory.add("model.layers.0.own_norm.weight", {8});
    const auto file = run(directory.weights(), directory.files, to(format));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(file.error().path, "config.json.auto_map");
    for (const char* said : {"modeling_own.OwnForCausalLM", "own_norm.weight"}) {
      EXPECT_NE(file.error().message.find(said), std::string::npos) << file.error().message;
    }
  }
}

TEST(OwnCode, OfATokenizerIsNamed) {
  DecoderDirectory directory = directory_with("");
  directory.files.add("tokenizer_config.json",
                      R"({"auto_map":{"AutoTokenizer":["tokenization_own.Own",null]}})");
  EXPECT_NE(warning_at(directory, "tokenizer_config.json.auto_map").find("tokenization_own.Own"),
            std::string::npos);
}

struct Statement {
  const char* config;
  const char* readme;
  const char* path;  // of the warning
};

TEST(OtherUse, IsSaidWhereAFileStatesIt) {
  constexpr const char* kCausal = R"(,"architectures":["LlamaForCausalLM"])";
  const Statement statements[] = {
      {R"(,"architectures":["LlamaModel"])", "", "config.json.architectures"},
      {R"(,"architectures":["JinaForRanking"])", "", "config.json.architectures"},
      {R"(,"classifier_from_token":["no","yes"])", "", "config.json.classifier_from_token"},
      {R"(,"_name_or_path":"owner/mxbai-Rerank-large-v2")", "", "config.json._name_or_path"},
      {kCausal, "---\nlicense: mit\npipeline_tag: text-ranking\n---\n", "README.md.pipeline_tag"},
      {kCausal, "---\r\npipeline_tag:  feature-extraction \r\n---\r\n", "README.md.pipeline_tag"},
  };
  for (const auto& [config, readme, path] : statements) {
    DecoderDirectory directory = directory_with(config);
    directory.files.add("README.md", readme);
    EXPECT_NE(warning_at(directory, path).find("docs/what-opens.md#generative-rerankers"),
              std::string::npos)
        << path;
  }
}

TEST(OtherUse, IsNotGuessed) {
  const Statement statements[] = {
      {R"(,"architectures":["LlamaForCausalLM"])", "", "config.json.architectures"},
      {"", "---\npipeline_tag: text-generation\n---\n", "README.md.pipeline_tag"},
      {"", "---\nlicense: mit\n---\npipeline_tag: text-ranking\n", "README.md.pipeline_tag"},
      {"", "pipeline_tag: text-ranking\n", "README.md.pipeline_tag"},
      {"", "---", "README.md.pipeline_tag"},
      {R"(,"_name_or_path":"owner/tiny-llama")", "# A reranker\n", "config.json._name_or_path"},
  };
  for (const auto& [config, readme, path] : statements) {
    DecoderDirectory directory = directory_with(config);
    directory.files.add("README.md", readme);
    EXPECT_EQ(warning_at(directory, path), "");
  }
}

TEST(OtherUse, AttentionToLaterTokensIsRefusedBesideAWindow) {
  SideFiles files;
  files.add("config.json", config_with(R"(,"is_causal":false,"sliding_window":8)"));
  const auto read = formats::huggingface::read_decoder_config(files, "");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path, "config.json.is_causal");
}

}  // namespace
}  // namespace ambry::convert
