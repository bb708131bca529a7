// Compares SentencePiece vocabularies of real files with llama.cpp, Hugging Face and the reference
// program of stories260K. Skipped without the data folder.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "convert/decoder/decoder_directory.h"
#include "convert/decoder/llama2c.h"
#include "formats/registry.h"
#include "text/sentencepiece/sentencepiece.h"
#include "text/test_files.h"
#include "text/tokenizer/stream_detokenizer.h"

namespace ambry {
namespace {

using text::kPlain;
using text::SentencePiece;
using text::Tokenizer;

std::unique_ptr<Tokenizer> made(model::TokenizerData data) {
  auto tokenizer = SentencePiece::create(std::move(data));
  EXPECT_TRUE(tokenizer) << describe(tokenizer.error());
  return *std::move(tokenizer);
}

class LlamaVocabulary : public ::testing::Test {
 protected:
  static constexpr const char* kName = "tokenizers/llamacpp/ggml-vocab-llama-spm.gguf";

  void SetUp() override {
    AMBRY_NEEDS_DATA(kName);
    const auto file = testing::data_file(kName);
    ASSERT_TRUE(file);
    const io::MemorySource source(*file);
    io::Diagnostics diagnostics;
    auto model = formats::find_format("gguf")->parse(source, diagnostics, {});
    ASSERT_TRUE(model) << describe(model.error());
    data_ = *model->tokenizer;
  }

  // As in transformers, special tokens are cut out of the text.
  [[nodiscard]] std::unique_ptr<Tokenizer> hugging_face() const {
    model::TokenizerData data = data_;
    for (uint32_t id = 0; id < 3; ++id) {
      data.added_tokens.push_back({.id = id, .content = std::string(data.vocabulary[id])});
    }
    return made(std::move(data));
  }

  model::TokenizerData data_;
};

TEST_F(LlamaVocabulary, MatchesLlamaCppsIds) {
  const auto cases = text::llama_cpp_cases("llama-spm");
  EXPECT_EQ(cases.size(), 47U);
  const auto tokenizer = made(data_);
  for (const auto& [text, ids] : cases) EXPECT_EQ(tokenizer->encode(text, kPlain).ids, ids) << text;
}

TEST_F(LlamaVocabulary, MatchesTransformersJsIdsAndTexts) {
  const auto tokenizer = hugging_face();
  const auto text = text::read_data("tokenizers/hf-encoded/transformersjs_llama.json");
  ASSERT_TRUE(text);
  const auto json = io::parse_json(*text);
  ASSERT_TRUE(json);
  const auto& cases = json->find("Xenova/llama-tokenizer")->items();
  EXPECT_EQ(cases.size(), 37U);
  for (const io::Json& expected : cases) {
    const auto ids = text::numbers(*expected.find("ids"));
    EXPECT_EQ(tokenizer->encode(expected.find("text")->string(), {}).ids, ids)
        << expected.find("text")->string();
    EXPECT_EQ(tokenizer->decode(ids, false), expected.find("decoded")->string());
  }
}

TEST_F(LlamaVocabulary, MatchesSwiftTransformersIdsAndTexts) {
  const auto tokenizer = hugging_face();
  const auto text = text::read_data("tokenizers/hf-encoded/tokenizer_tests_dev.json");
  ASSERT_TRUE(text);
  const auto json = io::parse_json(*text);
  ASSERT_TRUE(json);
  const auto& cases = json->find("coreml-projects/Llama-2-7b-chat-coreml")->items();
  EXPECT_EQ(cases.size(), 18U);
  for (const io::Json& expected : cases) {
    const auto ids = text::numbers(*expected.find("encoded")->find("input_ids"));
    EXPECT_EQ(tokenizer->encode(expected.find("input")->string(), {}).ids, ids)
        << expected.find("input")->string();
    EXPECT_EQ(tokenizer->decode(ids, false), expected.find("decoded_with_special")->string());
    EXPECT_EQ(tokenizer->decode(ids, true), expected.find("decoded_without_special")->string());
  }
}

class StoriesTokenizer : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("stories260k");
    const auto answers = text::read_data("stories260k/known_answers.json");
    ASSERT_TRUE(answers);
    auto json = io::parse_json(*answers);
    ASSERT_TRUE(json);
    answers_ = *std::move(json);
  }

  void expect_known_answers(const Tokenizer& tokenizer) const {
    for (const io::Json& answer : answers_.find("tokenization")->items()) {
      const std::string& text = answer.find("text")->string();
      const auto ids = text::numbers(*answer.find("tokens"));
      EXPECT_EQ(tokenizer.encode(text, {}).ids, ids) << text;
      EXPECT_EQ(tokenizer.decode(ids, true), text);
    }
    for (const io::Json& answer : answers_.find("answers")->items()) {
      auto ids = text::numbers(*answer.find("prompt_tokens"));
      EXPECT_EQ(tokenizer.encode(answer.find("prompt")->string(), {}).ids, ids);
      const auto more = text::numbers(*answer.find("generated_tokens"));
      ids.insert(ids.end(), more.begin(), more.end());
      EXPECT_EQ(tokenizer.decode(ids, true), answer.find("text")->string());
      text::StreamDetokenizer stream(tokenizer);
      std::string added;
      for (const uint32_t id : ids) added += stream.push(id);
      EXPECT_EQ(added + stream.finish(), answer.find("text")->string());
    }
  }

  io::Json answers_;
};

TEST_F(StoriesTokenizer, OfConvertedFilesMatchesTheKnownAnswers) {
  const auto checkpoint = testing::data_file("stories260k/stories260K.bin");
  const auto tokens = testing::data_file("stories260k/tok512.bin");
  ASSERT_TRUE(checkpoint && tokens);
  convert::SideFiles files;
  files.add(std::string(convert::kLlama2cTokenizer), {tokens->begin(), tokens->end()});
  for (const char* format : {"alt", "amb"}) {
    SCOPED_TRACE(format);
    const auto read = convert::testing::read_strictly(
        convert::testing::run(*checkpoint, files, convert::testing::to(format)), format);
    expect_known_answers(*made(*read.model.tokenizer));
  }
}

// llama2.c spells a space as a space.
TEST_F(StoriesTokenizer, WithLiteralSpacesMatchesTheKnownAnswers) {
  const auto bytes = testing::data_file("stories260k/tok512.bin");
  ASSERT_TRUE(bytes);
  model::TokenizerData data;
  data.kind = model::TokenizerKind::SentencePieceBpe;
  for (size_t at = sizeof(uint32_t); at < bytes->size();) {
    const uint8_t* record = bytes->data() + at;
    data.scores.push_back(std::bit_cast<float>(load_le<uint32_t>(record)));
    const size_t length = load_le<uint32_t>(record + 4);
    data.vocabulary.push_back(as_text(Bytes(*bytes).subspan(at + 8, length)));
    at += 8 + length;
  }
  ASSERT_EQ(data.vocabulary.size(), 512U);
  data.unk_id = 0;
  data.bos_id = 1;
  data.eos_id = 2;
  expect_known_answers(*made(std::move(data)));
}

TEST_F(StoriesTokenizer, WithTypesMatchesTheKnownAnswers) {
  const auto text = text::read_data("stories260k/tokenizer.json");
  ASSERT_TRUE(text);
  const auto json = io::parse_json(*text);
  ASSERT_TRUE(json);
  model::TokenizerData data;
  data.kind = model::TokenizerKind::SentencePieceBpe;
  for (const io::Json& piece : json->find("pieces")->items()) {
    data.vocabulary.push_back(piece.find("piece")->string());
    data.scores.push_back(static_cast<float>(piece.find("score")->number()));
    data.types.push_back(static_cast<uint8_t>(piece.find("type")->uint()));
  }
  data.bos_id = 1;
  data.eos_id = 2;
  expect_known_answers(*made(data));
  data.scores.clear();  // ALT v1
  expect_known_answers(*made(std::move(data)));
}

}  // namespace
}  // namespace ambry
