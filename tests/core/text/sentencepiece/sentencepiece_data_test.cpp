// Compares real models with the results of Google's library. Skipped without the data folder.
#include <gtest/gtest.h>

#include <string>

#include "io/json/json.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "repetitions.h"
#include "text/sentencepiece/sentencepiece.h"
#include "text/test_files.h"
#include "text/tokenizer/stream_detokenizer.h"

namespace ambry::text {
namespace {

class SentencePieceData : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = std::string("tokenizers/") + GetParam();
    AMBRY_NEEDS_DATA(name);
    const auto file = read_data(name);
    ASSERT_TRUE(file);
    auto data = model::sentencepiece_tokenizer(as_bytes(*file), 0, "model");
    ASSERT_TRUE(data) << describe(data.error());
    auto made = SentencePiece::create(std::move(data).value());
    ASSERT_TRUE(made) << describe(made.error());
    tokenizer_ = std::move(made).value();
  }

  std::unique_ptr<Tokenizer> tokenizer_;
};

using GooglesAnswers = SentencePieceData;

TEST_P(GooglesAnswers, MatchIdsAndTexts) {
  const auto lines = read_data(std::string("tokenizers/") + GetParam() + ".expected.jsonl");
  ASSERT_TRUE(lines);
  size_t n = 0;
  for (const std::string_view line : split(*lines, "\n")) {
    if (line.empty()) continue;
    const auto json = io::parse_json(line);
    ASSERT_TRUE(json) << line;
    const std::string& text = json->find("text")->string();
    const auto ids = numbers(*json->find("ids"));
    EXPECT_EQ(tokenizer_->encode(text, kPlain).ids, ids) << text;
    EXPECT_EQ(tokenizer_->decode(ids, true), json->find("decoded")->string());
    StreamDetokenizer stream(*tokenizer_);
    std::string added;
    for (const uint32_t id : ids) added += stream.push(id);
    EXPECT_EQ(added + stream.finish(), json->find("decoded")->string());
    ++n;
  }
  EXPECT_EQ(n, 584U);
}

INSTANTIATE_TEST_SUITE_P(SentencePiece, GooglesAnswers,
                         ::testing::Values("sentencepiece/test_model.model",
                                           "sentencepiece/en.wiki.bpe.vs1000.model",
                                           "sentencepiece/mistral.tokenizer.model.v1"));

using KnownPieces = SentencePieceData;

// core/text/README.md#unigram
TEST_P(KnownPieces, OfTheUnigramModel) {
  const auto ids = [this](std::string_view text) { return tokenizer_->encode(text, kPlain).ids; };
  using Ids = std::vector<uint32_t>;
  EXPECT_EQ(ids("  two  spaces "), (Ids{213, 273, 19, 135, 8}));
  EXPECT_EQ(ids("\uFF21\uFF22\uFF23 \uFB01 \u212B"), (Ids{104, 540, 381, 74, 25, 4, 0}));
  EXPECT_EQ(ids("\u543E\u8F29\u306F\u732B"), (Ids{4, 0}));
}

INSTANTIATE_TEST_SUITE_P(SentencePiece, KnownPieces,
                         ::testing::Values("sentencepiece/test_model.model"));

using MergesWithoutScores = SentencePieceData;

// core/formats/alt/README.md#merge-order: ids alone give what scores give.
TEST_P(MergesWithoutScores, MatchMergesWithScores) {
  const auto file = read_data(std::string("tokenizers/") + GetParam());
  auto data = std::move(model::sentencepiece_tokenizer(as_bytes(*file), 0, "model")).value();
  data.scores.clear();
  data.types.clear();
  data.payload.clear();
  const auto bare = std::move(SentencePiece::create(std::move(data))).value();
  const auto book = read_data("tokenizers/sentencepiece/botchan.txt");
  ASSERT_TRUE(book);
  const std::vector<std::string_view> lines = split(*book, "\n");
  for (const std::string_view line :
       std::span(lines).first(ambry::testing::repetitions(lines.size()))) {
    for (const std::string& text : {std::string(line), "    " + std::string(line) + "\t \u00A0"}) {
      EXPECT_EQ(bare->encode(text, {}).ids, tokenizer_->encode(text, {}).ids) << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SentencePiece, MergesWithoutScores,
                         ::testing::Values("sentencepiece/mistral.tokenizer.model.v1"));

}  // namespace
}  // namespace ambry::text
