#include "text/grammar/matcher/token_masks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <vector>

#include "text/bpe/make_bpe.h"
#include "text/grammar/accepts.h"
#include "text/grammar/form/gbnf.h"
#include "text/grammar/matcher/constrained_answer.h"
#include "text/grammar/schema/json_schema.h"
#include "text/sentencepiece/make_pieces.h"

namespace ambry::text {
namespace {

// Every byte, tokens of several bytes, a part of a character, an end and a special token.
std::unique_ptr<Tokenizer> mask_tokenizer() {
  model::TokenizerData data = testing::byte_level_data({{"a", "b"},
                                                        {"ab", "c"},
                                                        {"\"", ":"},
                                                        {"{", "\""},
                                                        {"\"", "}"},
                                                        {"Ġ", "1"},
                                                        {"1", "2"},
                                                        {"Ã", "©"},
                                                        {"x", "Ã"}});
  data.vocabulary.push_back("<end>");
  data.eos_id = static_cast<uint32_t>(data.vocabulary.size() - 1);
  data.added_tokens.push_back({.id = *data.eos_id, .content = "<end>", .special = true});
  return testing::make_bpe(std::move(data));
}

// The definition of a mask: each token by itself.
bool is_allowed(GrammarMatcher& matcher, GrammarMatcher::State state, const Tokenizer& tokenizer,
                uint32_t id) {
  if (std::ranges::count(tokenizer.end_ids(), id) > 0) return matcher.can_end(state);
  const auto bytes = tokenizer.text_bytes(id);
  return bytes && !bytes->empty() && matcher.next(state, *bytes) != GrammarMatcher::kDead;
}

void expect_masks_of(const Grammar& grammar, std::string_view text) {
  const auto tokenizer = mask_tokenizer();
  ASSERT_TRUE(tokenizer);
  GrammarMatcher matcher = std::move(GrammarMatcher::create(grammar, "form")).value();
  const TokenIndex tokens(*tokenizer, tokenizer->size());
  TokenMasks masks(tokens, tokenizer->end_ids());
  auto state = matcher.start();
  for (size_t i = 0; i <= text.size(); ++i) {
    const std::span<const uint64_t> mask = masks.allowed(matcher, state);
    for (uint32_t id = 0; id < tokenizer->size(); ++id) {
      const bool has = (mask[id / 64] >> id % 64 & 1) != 0;
      ASSERT_EQ(has, is_allowed(matcher, state, *tokenizer, id))
          << tokenizer->token(id) << " after " << text.substr(0, i);
    }
    if (i < text.size()) state = matcher.next(state, static_cast<uint8_t>(text[i]));
    ASSERT_NE(state, GrammarMatcher::kDead);
  }
  EXPECT_TRUE(matcher.can_end(state));
}

TEST(TokenMasks, AreWhatEachTokenByItselfAllows) {
  const auto schema = io::parse_json(
      R"({"type": "object", "required": ["abc"],
          "properties": {"abc": {"type": "integer"}, "x": {"type": "string", "maxLength": 3}}})");
  const auto grammar = parse_json_schema(*schema, "schema");
  ASSERT_TRUE(grammar);
  expect_masks_of(*grammar, R"({"abc": 12,"x":"ab"})");
  expect_masks_of(*parse_gbnf("root ::= \"ab\" [é-ü]* | \"abc\"*", "g"), "abéü");
}

TEST(TokenMasks, AreComputedAgainWhenTheyWereForgotten) {
  const auto tokenizer = mask_tokenizer();
  const auto grammar = parse_gbnf("root ::= [a-z]{0,200}", "g");
  GrammarMatcher matcher = std::move(GrammarMatcher::create(*grammar, "form")).value();
  const TokenIndex tokens(*tokenizer, tokenizer->size());
  TokenMasks masks(tokens, tokenizer->end_ids());
  std::vector<GrammarMatcher::State> states = {matcher.start()};
  for (int i = 0; i < 200; ++i) states.push_back(matcher.next(states.back(), 'a'));
  for (int round = 0; round < 2; ++round) {
    for (const auto state : states) {
      const auto mask = masks.allowed(matcher, state);
      const bool has_a = (mask['a' / 64] >> 'a' % 64 & 1) != 0;
      EXPECT_EQ(has_a, state != states.back());
    }
  }
}

TEST(TokenTexts, HasTheBytesOfTokensInTheMiddleOfAText) {
  const auto bpe = mask_tokenizer();
  const TokenIndex tokens(*bpe, bpe->size());
  EXPECT_EQ(tokens.texts().bytes(*bpe->id("Ġ1")), " 1");
  EXPECT_EQ(tokens.texts().bytes(*bpe->id("Ã")), "\xC3");
  EXPECT_EQ(tokens.texts().bytes(*bpe->id("<end>")), "");
  std::vector<MadePiece> pieces = byte_pieces();
  pieces.push_back({"\xE2\x96\x81the", -1});
  pieces.push_back({"A", -2});
  const auto sentencepiece = tokenizer(make_pieces(model::SentencePieceModel::Type::Bpe, pieces));
  const TokenIndex of_pieces(*sentencepiece, sentencepiece->size());
  EXPECT_EQ(of_pieces.texts().bytes(3 + 0x0A), "\n");
  EXPECT_EQ(of_pieces.texts().bytes(3 + 256), " the");
  for (const uint32_t id : {0U, 1U, 2U}) EXPECT_EQ(of_pieces.texts().bytes(id), "");
}

TEST(ConstrainedAnswer, FollowsTheTokens) {
  const auto tokenizer = mask_tokenizer();
  const auto tokens = std::make_shared<const TokenIndex>(*tokenizer, tokenizer->size());
  auto matcher = GrammarMatcher::create(*parse_gbnf("root ::= \"abc\" \"12\"?", "g"), "g");
  ConstrainedAnswer answer(std::move(*matcher), tokens, tokenizer->end_ids(), "options.format");
  ASSERT_TRUE(answer.allowed());
  answer.accept(*tokenizer->id("ab"));
  EXPECT_FALSE(answer.can_end());
  answer.accept(*tokenizer->id("c"));
  EXPECT_TRUE(answer.can_end());
  EXPECT_FALSE(answer.is_complete());
  answer.accept(*tokenizer->id("12"));
  EXPECT_TRUE(answer.is_complete());
}

TEST(ConstrainedAnswer, RefusesAFormThatTheVocabularyCannotWrite) {
  const auto sentencepiece =
      tokenizer(make_pieces(model::SentencePieceModel::Type::Bpe, {{"a", -1}, {"b", -2}}));
  const auto tokens = std::make_shared<const TokenIndex>(*sentencepiece, sentencepiece->size());
  auto matcher = GrammarMatcher::create(*parse_gbnf("root ::= \"ac\"", "g"), "g");
  ConstrainedAnswer answer(std::move(*matcher), tokens, sentencepiece->end_ids(), "options.format");
  ASSERT_TRUE(answer.allowed());
  answer.accept(*sentencepiece->id("a"));
  const auto mask = answer.allowed();
  ASSERT_FALSE(mask);
  EXPECT_EQ(mask.error().code, ErrorCode::BadValue);
  EXPECT_EQ(mask.error().path, "options.format");
}

}  // namespace
}  // namespace ambry::text
