// Compares ids of the real bert-base-uncased vocabulary with those of Hugging Face's tests,
// transformers.js, llama.cpp and SQuAD questions. Skipped without the data folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "io/json/json.h"
#include "text/test_files.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::text {
namespace {

using Ids = std::vector<uint32_t>;

class WordPieceData : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("tokenizers/bert/vocab.txt");
    const auto vocabulary = read_data("tokenizers/bert/vocab.txt");
    ASSERT_TRUE(vocabulary);
    model::TokenizerData data;
    data.vocabulary = vocabulary_of_lines(*vocabulary);
    ASSERT_EQ(data.vocabulary.size(), 30522U);
    auto made = WordPiece::create(std::move(data));
    ASSERT_TRUE(made) << describe(made.error());
    tokenizer_ = std::move(made).value();
  }

  static io::Json read_json(const std::string& name) {
    const auto text = read_data("tokenizers/hf-encoded/" + name);
    if (!text) return {};
    auto json = io::parse_json(*text);
    EXPECT_TRUE(json) << name;
    return json ? std::move(json).value() : io::Json();
  }

  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(WordPieceData, SquadQuestions) {
  const auto lines = read_data("tokenizers/bert/squad_questions_a.jsonl");
  ASSERT_TRUE(lines);
  size_t n = 0;
  for (const std::string_view line : split(*lines, "\n")) {
    if (line.empty()) continue;
    const auto json = io::parse_json(line);
    ASSERT_TRUE(json) << line;
    const std::string& text = json->find("text")->string();
    EXPECT_EQ(tokenizer_->encode(text, kPlain).ids, numbers(*json->find("ids"))) << text;
    ++n;
  }
  EXPECT_EQ(n, 2643U);
}

TEST_F(WordPieceData, TransformersJs) {
  size_t n = 0;
  for (const std::string name : {"transformersjs_bert.json", "transformersjs_distilbert.json"}) {
    const io::Json json = read_json(name);
    ASSERT_TRUE(json.is_object());
    for (const auto& [model, cases] : json.members()) {
      for (const io::Json& expected : cases.items()) {
        const std::string& text = expected.find("text")->string();
        const io::Json* pair = expected.find("text_pair");
        const Encoding encoding = pair != nullptr && pair->is_string()
                                      ? *tokenizer_->encode_pair(text, pair->string(), {})
                                      : tokenizer_->encode(text, {});
        EXPECT_EQ(encoding.ids, numbers(*expected.find("ids"))) << model << ": " << text;
        ++n;
      }
    }
  }
  EXPECT_EQ(n, 42U);
}

TEST_F(WordPieceData, SwiftTransformers) {
  const io::Json json = read_json("tokenizer_tests_dev.json");
  const io::Json* cases = json.find("bert-base-uncased");
  ASSERT_NE(cases, nullptr);
  EXPECT_EQ(cases->items().size(), 18U);
  for (const io::Json& expected : cases->items()) {
    const std::string& text = expected.find("input")->string();
    const io::Json& encoded = *expected.find("encoded");
    const Encoding encoding = tokenizer_->encode(text, {});
    EXPECT_EQ(encoding.ids, numbers(*encoded.find("input_ids"))) << text;
    EXPECT_EQ(encoding.type_ids, numbers(*encoded.find("token_type_ids"))) << text;
  }
  const io::Json long_text = read_json("bert_uncased_encoded.json");
  ASSERT_TRUE(long_text.is_object());
  EXPECT_EQ(tokenizer_->encode(long_text.find("text")->string(), {}).ids,
            numbers(*long_text.find("token_ids")));
}

// llama.cpp's vocabulary (bge) has the same tokens with the same ids, but marks the starts of
// words.
TEST_F(WordPieceData, LlamaCpp) {
  const auto cases = llama_cpp_cases("bert-bge");
  EXPECT_EQ(cases.size(), 47U);
  for (const auto& [text, ids] : cases) {
    EXPECT_EQ(tokenizer_->encode(text, kPlain).ids, ids) << text;
  }
}

}  // namespace
}  // namespace ambry::text
