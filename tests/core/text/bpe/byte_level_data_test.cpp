// Compares ids of the real GPT-2 vocabulary with those of Hugging Face's tests, transformers.js and
// llama.cpp. Skipped without the data folder.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/json/json.h"
#include "text/bpe/byte_level_bpe.h"
#include "text/test_files.h"

namespace ambry::text {
namespace {

using Ids = std::vector<uint32_t>;

class ByteLevelData : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("tokenizers/gpt2");
    const auto vocabulary = read_data("tokenizers/gpt2/encoder.json");
    const auto merges = read_data("tokenizers/gpt2/vocab.bpe");
    ASSERT_TRUE(vocabulary && merges);
    model::TokenizerData data;
    data.kind = model::TokenizerKind::Bpe;
    const auto json = io::parse_json(*vocabulary);
    ASSERT_TRUE(json);
    for (const auto& [token, id] : json->members()) {
      data.vocabulary.push_back(token);
      data.ids.push_back(static_cast<uint32_t>(id.uint()));
    }
    for (const std::string_view line : split(*merges, "\n")) {
      if (line.empty() || line.starts_with("#version")) continue;
      const auto parts = split(line, " ");
      ASSERT_EQ(parts.size(), 2U);
      for (const std::string_view part : parts) data.merges.push_back(part);
    }
    data.added_tokens = {{.id = 50256, .content = "<|endoftext|>"}};
    auto made = ByteLevelBpe::create(std::move(data));
    ASSERT_TRUE(made) << describe(made.error());
    tokenizer_ = std::move(*made);
    ASSERT_EQ(tokenizer_->size(), 50257U);
  }

  static io::Json read_json(const std::string& name) {
    const auto text = read_data("tokenizers/hf-encoded/" + name);
    auto json = io::parse_json(text.value_or("null"));
    return json ? std::move(json).value() : io::Json();
  }

  // The decoded texts there had their spaces cleaned by transformers. The tokenizer itself keeps
  // the text.
  void expect_ids(const std::string& text, const io::Json& ids) {
    EXPECT_EQ(tokenizer_->encode(text, kPlain).ids, numbers(ids)) << text;
    EXPECT_EQ(tokenizer_->decode(numbers(ids), false), text);
  }

  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(ByteLevelData, LlamaCpp) {
  const auto cases = llama_cpp_cases("gpt-2");
  EXPECT_EQ(cases.size(), 47U);
  for (const auto& [text, ids] : cases) {
    EXPECT_EQ(tokenizer_->encode(text, kPlain).ids, ids) << text;
    EXPECT_EQ(tokenizer_->decode(ids, false), text);
  }
}

TEST_F(ByteLevelData, TransformersJs) {
  const io::Json json = read_json("transformersjs_gpt2.json");
  const io::Json* cases = json.find("Xenova/gpt2");
  ASSERT_NE(cases, nullptr);
  EXPECT_EQ(cases->items().size(), 26U);
  for (const io::Json& expected : cases->items()) {
    expect_ids(expected.find("text")->string(), *expected.find("ids"));
  }
}

TEST_F(ByteLevelData, SwiftTransformers) {
  const io::Json json = read_json("tokenizer_tests_dev.json");
  const io::Json* cases = json.find("distilgpt2");
  ASSERT_NE(cases, nullptr);
  EXPECT_EQ(cases->items().size(), 18U);
  for (const io::Json& expected : cases->items()) {
    const io::Json& ids = *expected.find("encoded")->find("input_ids");
    expect_ids(expected.find("input")->string(), ids);
  }
  const io::Json text = read_json("gpt2_encoded_tokens.json");
  ASSERT_TRUE(text.is_object());
  expect_ids(text.find("text")->string(), *text.find("token_ids"));
}

}  // namespace
}  // namespace ambry::text
