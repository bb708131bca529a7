// Answers of random allowed tokens: whatever a model would choose, the text has the form. The text
// is that of the tokenizer's own decoder, within a text that has begun.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/json/json.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "repetitions.h"
#include "text/bpe/make_bpe.h"
#include "text/grammar/accepts.h"
#include "text/grammar/form/gbnf.h"
#include "text/grammar/matcher/constrained_answer.h"
#include "text/grammar/schema/json_schema.h"
#include "text/sentencepiece/make_pieces.h"
#include "text/test_files.h"

namespace ambry::text {
namespace {

constexpr std::string_view kTreeSchema = R"({
  "type": "object", "required": ["name", "values"],
  "properties": {
    "name": {"type": "string", "maxLength": 12},
    "values": {"type": "array", "items": {"type": "number", "minimum": -2.5}, "maxItems": 3},
    "child": {"$ref": "#"}
  }
})";

// For each grammar.
constexpr size_t kAnswers = ambry::testing::repetitions(60);

class RandomAnswers {
 public:
  RandomAnswers(const Tokenizer& tokenizer, const Grammar& grammar)
      : tokenizer_(tokenizer),
        grammar_(grammar),
        tokens_(std::make_shared<const TokenIndex>(tokenizer, tokenizer.size())) {}

  // Nothing for an answer that is not complete after 300 tokens.
  std::optional<std::string> next(uint64_t seed) {
    Random random(seed);
    ConstrainedAnswer answer(std::move(GrammarMatcher::create(grammar_, "form")).value(), tokens_,
                             tokenizer_.end_ids(), "form");
    const auto decoder = tokenizer_.decoder(true);
    std::string before;
    for (const uint32_t id : tokenizer_.encode("a", kPlain).ids) decoder->push(id, before);
    std::string text;
    for (int n = 0; n < 300; ++n) {
      if (answer.is_complete()) {
        decoder->finish(text);
        return text;
      }
      const auto mask = answer.allowed();
      if (!mask) {
        ADD_FAILURE() << describe(mask.error()) << " after " << text;
        return std::nullopt;
      }
      const std::vector<uint32_t> ids = ids_of(*mask);
      const uint32_t id = ids[random.below(ids.size())];
      answer.accept(id);
      decoder->push(id, text);
    }
    return std::nullopt;
  }

 private:
  // Without those that end a text.
  [[nodiscard]] std::vector<uint32_t> ids_of(std::span<const uint64_t> mask) const {
    std::vector<uint32_t> ids;
    for (uint32_t id = 0; id < tokenizer_.size(); ++id) {
      const bool is_allowed = (mask[id / 64] >> id % 64 & 1) != 0;
      if (is_allowed && std::ranges::count(tokenizer_.end_ids(), id) == 0) ids.push_back(id);
    }
    return ids;
  }

  const Tokenizer& tokenizer_;
  const Grammar& grammar_;
  std::shared_ptr<const TokenIndex> tokens_;
};

void expect_json(const Tokenizer& tokenizer) {
  const auto schema = io::parse_json(kTreeSchema);
  const auto grammar = parse_json_schema(*schema, "schema");
  ASSERT_TRUE(grammar) << describe(grammar.error());
  RandomAnswers answers(tokenizer, *grammar);
  size_t n_complete = 0;
  for (uint64_t seed = 0; seed < kAnswers; ++seed) {
    const auto text = answers.next(seed);
    if (!text) continue;
    ++n_complete;
    ASSERT_TRUE(testing::accepts(*grammar, *text)) << seed << " " << *text;
    const auto json = io::parse_json(*text);
    ASSERT_TRUE(json) << seed << " " << *text;
    EXPECT_TRUE(json->find("name")->is_string());
    EXPECT_LE(json->find("values")->items().size(), 3U);
  }
  EXPECT_GT(n_complete, kAnswers / 3);
}

void expect_poem(const Tokenizer& tokenizer) {
  const auto grammar =
      parse_gbnf("root ::= ([^\\n]{1,9} \"\\n\"){3} [α-ω日本-]{2,5} \" \" \".\"", "g");
  ASSERT_TRUE(grammar) << describe(grammar.error());
  RandomAnswers answers(tokenizer, *grammar);
  size_t n_complete = 0;
  for (uint64_t seed = 0; seed < kAnswers; ++seed) {
    const auto text = answers.next(seed);
    if (!text) continue;
    ++n_complete;
    ASSERT_TRUE(testing::accepts(*grammar, *text)) << seed << " " << *text;
  }
  EXPECT_GT(n_complete, kAnswers / 3);
}

TEST(RandomAnswers, OfBytesHaveTheForm) {
  const auto bpe = testing::make_bpe(
      testing::byte_level_data({{"{", "\""}, {"\"", ":"}, {"Ġ", "-"}, {"Ã", "©"}, {"é", "\""}}));
  ASSERT_TRUE(bpe);
  expect_json(*bpe);
  expect_poem(*bpe);
}

TEST(RandomAnswers, OfPiecesAndBytesHaveTheForm) {
  std::vector<MadePiece> pieces = byte_pieces();
  for (const char* text :
       {"\xE2\x96\x81", "\xE2\x96\x81\"", "name", "\":", "{\"", "é", "日", "0", "12", "}", "]"}) {
    pieces.push_back({text, -1});
  }
  const auto made = tokenizer(make_pieces(model::SentencePieceModel::Type::Bpe, pieces));
  expect_json(*made);
  expect_poem(*made);
}

TEST(RandomAnswers, OfARealVocabularyHaveTheForm) {
  const std::string name = "tokenizers/sentencepiece/mistral.tokenizer.model.v1";
  AMBRY_NEEDS_DATA(name);
  const auto file = read_data(name);
  ASSERT_TRUE(file);
  const auto made =
      tokenizer(std::move(model::sentencepiece_tokenizer(as_bytes(*file), 0, "model")).value());
  expect_json(*made);
  expect_poem(*made);
}

}  // namespace
}  // namespace ambry::text
