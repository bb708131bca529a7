#include "model/decoder/config/reranker_config.h"

#include <gtest/gtest.h>

#include <string>

#include "model/decoder/config/known_rerankers.h"

namespace ambry::model {
namespace {

constexpr uint32_t kVocabulary = 100;
constexpr const char* kPrompt = R"("prompt":["{query}","{document}"])";

Result<std::optional<RerankerConfig>> reranker_of(const std::string& reranker,
                                                  const std::string& more = "") {
  const io::Json config = io::parse_json(R"({"reranker": )" + reranker + more + "}").value();
  return reranker_config(config, kVocabulary);
}

TEST(RerankerConfig, IsAbsentForModelsThatDoNotRank) {
  const auto read = reranker_config(io::parse_json(R"({"reranker": null})").value(), kVocabulary);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->has_value());
}

TEST(RerankerConfig, OfKnownModelsReadsWhatItWrites) {
  for (const KnownReranker& known : known_rerankers()) {
    const std::string document = reranker_document(config_of(known)).dump();
    const auto read = reranker_of(document);
    ASSERT_TRUE(read) << known.name << describe(read.error());
    EXPECT_EQ(reranker_document(**read).dump(), document);
  }
}

TEST(RerankerConfig, OfLayersReadsWhatItWrites) {
  const std::string document = reranker_document(layerwise_config(8)).dump();
  const auto read = reranker_of(document);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ((*read)->first_layer, 8U);
  EXPECT_EQ(reranker_document(**read).dump(), document);
}

TEST(RerankerConfig, KnowsThePartsOfAPrompt) {
  const RerankerConfig config = layerwise_config(8);
  EXPECT_EQ(part_of(config, "{query}"), 1U);
  EXPECT_EQ(part_of(config, "{document}"), 3U);
  EXPECT_EQ(part_of(config, "{else}"), config.prompt.size());
}

TEST(RerankerConfig, NeedsATemplateOrAPrompt) {
  const auto without = reranker_of(R"({"true": 1})");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().path, "config.tokenizer.chat_template");
  EXPECT_TRUE(reranker_of(R"({"true": 1})", R"(,"tokenizer": {"chat_template": "{{ x }}"})"));
}

TEST(RerankerConfig, RefusesWhatItDoesNotKnow) {
  struct Row {
    const char* members;
    ErrorCode code;
    const char* path;
  };
  const Row rows[] = {
      {R"("scale":1)", ErrorCode::Unsupported, "scale"},
      {R"("false":2)", ErrorCode::NotFound, "true"},
      {R"("true":100)", ErrorCode::BadValue, "true"},
      {R"("true":-1)", ErrorCode::BadValue, "true"},
      {R"("true":1,"false":[2])", ErrorCode::BadValue, "false"},
      {R"("head":true,"true":2)", ErrorCode::BadValue, "true"},
      {R"("head":true,"true":"yes")", ErrorCode::BadValue, "true"},
      {R"("true":1,"activation":"relu")", ErrorCode::Unsupported, "activation"},
      {R"("true":1,"messages":"nested")", ErrorCode::Unsupported, "messages"},
      {R"("true":1,"variables":[])", ErrorCode::BadValue, "variables"},
      {R"("true":1,"max_length":-2)", ErrorCode::BadValue, "max_length"},
      {R"("true":1,"instruction":"x")", ErrorCode::BadValue, "prompt"},
      {R"("true":1,"score_scale":0)", ErrorCode::BadValue, "score_scale"},
      {R"("true":1,"score_scale":"x")", ErrorCode::BadValue, "score_scale"},
      {R"("true":1,"trim":1)", ErrorCode::BadValue, "trim"},
      {R"("true":1,"max_query_characters":-1)", ErrorCode::BadValue, "max_query_characters"},
      {R"("true":1,"head_begin":2)", ErrorCode::BadValue, "head_begin"},
      {R"("first_layer":1,"true":1)", ErrorCode::BadValue, "true"},
      {R"("first_layer":1,"head":true)", ErrorCode::BadValue, "head"},
      {R"("first_layer":-1)", ErrorCode::BadValue, "first_layer"},
  };
  for (const auto& [members, code, path] : rows) {
    const auto read = reranker_of(std::string("{") + members + "," + kPrompt + "}");
    ASSERT_FALSE(read) << members;
    EXPECT_EQ(read.error().code, code) << members;
    EXPECT_EQ(read.error().path, std::string("config.reranker.") + path) << members;
  }
  for (const char* prompt : {R"(["{query}"])", R"(["{query}{query}{document}"])", R"("{query}")",
                             R"(["{query}","{document}","{instruction}"])"}) {
    const auto read = reranker_of(std::string(R"({"true":1,"prompt":)") + prompt + "}");
    ASSERT_FALSE(read) << prompt;
    EXPECT_EQ(read.error().path, "config.reranker.prompt") << prompt;
  }
}

TEST(RerankerConfig, RefusesLimitsOfPartsWithoutParts) {
  const std::string with_template = R"(,"tokenizer": {"chat_template": "{{ x }}"})";
  for (const char* limit : {R"("max_query_length":3)", R"("head_begin":1)"}) {
    const auto read = reranker_of(std::string(R"({"true":1,)") + limit + "}", with_template);
    ASSERT_FALSE(read) << limit;
    EXPECT_EQ(read.error().path, "config.reranker.prompt");
  }
  const auto joined =
      reranker_of(R"({"true":1,"max_query_length":3,"prompt":["{query} {document}"]})");
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(joined.error().path, "config.reranker.max_query_length");
}

TEST(KnownRerankers, AreFoundInNamesOfAnySpelling) {
  for (const char* name : {"Qwen/Qwen3-Reranker-0.6B", "Qwen3 Reranker 8B", "qwen3_reranker"}) {
    EXPECT_NE(find_known_reranker(name, "qwen3"), nullptr) << name;
    EXPECT_EQ(find_known_reranker(name, "qwen2"), nullptr) << name;
  }
  EXPECT_NE(find_known_reranker("Bge Reranker v2 Gemma", "gemma"), nullptr);
  EXPECT_EQ(find_known_reranker("Qwen3-VL-Reranker-2B", "qwen3"), nullptr);
  for (const char* name : {"zeroentropy/zerank-1", "zerank-1-small", "zerank_1_small-reranker"}) {
    EXPECT_NE(find_known_reranker(name, "qwen3"), nullptr) << name;
  }
  EXPECT_EQ(find_known_reranker("zerank-2", "qwen3"), nullptr);
  EXPECT_EQ(find_known_reranker("mxbai-rerank-large-v1", "qwen2"), nullptr);
}

TEST(KnownRerankers, InstructionsOfATemplateBecomeAPlace) {
  RerankerConfig config;
  config.prompt = {"<Instruct>: find it\n<Query>: {query}\n{document}"};
  add_instruction_place(config);
  EXPECT_EQ(config.prompt[0], "<Instruct>: {instruction}\n<Query>: {query}\n{document}");
  EXPECT_EQ(config.instruction, "find it");
  config.prompt = {"{query} {document}"};
  config.instruction.reset();
  add_instruction_place(config);
  EXPECT_FALSE(config.instruction);
}

}  // namespace
}  // namespace ambry::model
