#include "text/wordpiece/wordpiece.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "text/test_files.h"

namespace ambry::text {
namespace {

model::TokenizerData small_data() {
  model::TokenizerData data;
  for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##b", "##c",
                            "ab", "!", "\xF0\x9F\x98\x80", "\xE4\xB8\xAD"}) {
    data.vocabulary.push_back(token);
  }
  return data;
}

std::unique_ptr<Tokenizer> make(model::TokenizerData data) {
  auto made = WordPiece::create(std::move(data));
  EXPECT_TRUE(made) << describe(made.error());
  return std::move(made).value();
}

using Ids = std::vector<uint32_t>;
TEST(WordPiece, CoversWordsWithTheLongestPieces) {
  const auto tokenizer = make(small_data());
  EXPECT_EQ(tokenizer->encode("ab abb Abc!", kPlain).ids, (Ids{9, 9, 7, 9, 8, 10}));
  EXPECT_EQ(tokenizer->encode("abz", kPlain).ids, (Ids{1}));
  EXPECT_EQ(tokenizer->encode("a", {}).ids, (Ids{2, 5, 3}));
  EXPECT_EQ(tokenizer->encode("", {}).ids, (Ids{2, 3}));
  EXPECT_EQ(tokenizer->encode("", kPlain).ids, Ids{});
}

TEST(WordPiece, GivesSpansInBytesAndUtf16) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode("\xF0\x9F\x98\x80 A\xCC\x81z\xE4\xB8\xAD", {});
  EXPECT_EQ(encoding.ids, (Ids{2, 11, 1, 12, 3}));
  const std::vector<TextSpan> spans = {
      {}, {{0, 0}, {4, 2}}, {{5, 3}, {9, 6}}, {{9, 6}, {12, 7}}, {}};
  EXPECT_EQ(encoding.spans, spans);
}

TEST(WordPiece, CutsAddedTokensOutOfTheRawText) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode("a[SEP]b[sep]", kPlain);
  EXPECT_EQ(encoding.ids, (Ids{5, 3, 6, 1, 1, 1}));
  EXPECT_EQ(encoding.spans[1], (TextSpan{{1, 1}, {6, 6}}));
}

TEST(WordPiece, KeepsPositionsAfterIllFormedBytes) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode("\xFF[SEP]\xE2\x82 b", kPlain);
  EXPECT_EQ(encoding.ids, (Ids{3, 6}));
  EXPECT_EQ(encoding.spans[0], (TextSpan{{1, 1}, {6, 6}}));
  EXPECT_EQ(encoding.spans[1], (TextSpan{{9, 8}, {10, 9}}));
}

TEST(WordPiece, CountsTokensBeforeTruncation) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode("a b a b", {true, 4});
  EXPECT_EQ(encoding.ids, (Ids{2, 5, 6, 3}));
  EXPECT_EQ(encoding.full_length, 6U);
  EXPECT_TRUE(encoding.truncated());
  EXPECT_FALSE(tokenizer->encode("a b", {true, 4}).truncated());
  EXPECT_EQ(tokenizer->encode_pair("a b a", "b b b b", {true, 7})->full_length, 10U);
  EXPECT_EQ(tokenizer->encode("a", {true, 1}).ids,
            (Ids{2, 3}));  // no room: only the special tokens remain
}

TEST(WordPiece, TruncatesTheLongerTextOfAPairFirst) {
  const auto tokenizer = make(small_data());
  const auto pair = [&](std::string_view first, std::string_view second, uint32_t max) {
    return tokenizer->encode_pair(first, second, {true, max})->ids;
  };
  EXPECT_EQ(pair("a", "b b b b", 6), (Ids{2, 5, 3, 6, 6, 3}));
  EXPECT_EQ(pair("a a a a", "b", 6), (Ids{2, 5, 5, 3, 6, 3}));
  EXPECT_EQ(pair("a a a a", "b b b", 8), (Ids{2, 5, 5, 5, 3, 6, 6, 3}));
  EXPECT_EQ(pair("a a a", "b b b b", 8), (Ids{2, 5, 5, 3, 6, 6, 6, 3}));
  EXPECT_EQ(tokenizer->encode_pair("a", "b", {})->type_ids, (Ids{0, 0, 0, 1, 1}));
}

TEST(WordPiece, ReportsAMissingSpecialToken) {
  for (const std::string missing : {"[UNK]", "[CLS]", "[SEP]"}) {
    model::TokenizerData data;
    for (const std::string token : {"[UNK]", "[CLS]", "[SEP]"}) {
      data.vocabulary.push_back(token == missing ? "x" : token);
    }
    const auto made = WordPiece::create(std::move(data));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::NotFound);
    EXPECT_NE(made.error().message.find(missing), std::string::npos);
  }
}

TEST(WordPiece, RejectsIdsOutsideTheVocabulary) {
  model::TokenizerData data = small_data();
  data.pad_id = 99;
  EXPECT_EQ(WordPiece::create(std::move(data)).error().code, ErrorCode::BadValue);
  data = small_data();
  data.added_tokens.push_back({UINT32_MAX, "@", true, false, false, false, false});
  EXPECT_EQ(WordPiece::create(std::move(data)).error().path, "tokenizer.added_tokens[0].id");
}

TEST(WordPiece, UsesTheFilesSpecialIds) {
  model::TokenizerData data = small_data();
  data.cls_id = 11;
  data.sep_id = 12;
  const auto tokenizer = make(std::move(data));
  EXPECT_EQ(tokenizer->encode("ab", {}).ids, (Ids{11, 9, 12}));
  EXPECT_EQ(tokenizer->bos(), 11U);
  EXPECT_EQ(tokenizer->end_ids().front(), 12U);
  EXPECT_TRUE(tokenizer->is_special(11));
  EXPECT_FALSE(tokenizer->is_special(9));
}

TEST(WordPiece, FindsTokensByIdAndText) {
  model::TokenizerData data = small_data();
  data.added_tokens = {{1, "[UNK]", true, false, false, false, false},
                       {40, "<new>", false, false, false, false, false},
                       {99, "ab", false, false, false, false, false}};
  const auto tokenizer = make(std::move(data));
  EXPECT_EQ(tokenizer->token(9), "ab");
  EXPECT_EQ(tokenizer->token(40), "<new>");
  EXPECT_EQ(tokenizer->token(30), "");
  EXPECT_EQ(tokenizer->id("<new>"), 40U);
  EXPECT_EQ(tokenizer->id("ab"), 9U);  // a token of the vocabulary keeps the vocabulary's id
  EXPECT_EQ(tokenizer->id("nothing"), std::nullopt);
  EXPECT_EQ(tokenizer->size(), 41U);
}

TEST(WordPiece, AppendedTokensAreNotPiecesOfWords) {
  model::TokenizerData data = small_data();
  data.vocabulary.push_back("aab");
  data.added_tokens = {{13, "aab", false, false, false, true, false}};
  const auto tokenizer = make(std::move(data));
  EXPECT_EQ(tokenizer->encode("aab", kPlain).ids, (Ids{13}));
  EXPECT_EQ(tokenizer->encode("aabb", kPlain).ids, (Ids{1}));
  EXPECT_EQ(tokenizer->token(13), "aab");
}

TEST(WordPiece, DecodesItsOwnIds) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode("AB abc!", {});
  EXPECT_EQ(tokenizer->decode(encoding.ids, true), "ab abc!");
  EXPECT_EQ(tokenizer->decode(encoding.ids, false), "[CLS] ab abc! [SEP]");
  EXPECT_EQ(tokenizer->decode(Ids{1000, 9}, true), "ab");
}

TEST(WordPiece, AWordOfAMillionLettersIsOneUnknownToken) {
  const auto tokenizer = make(small_data());
  const Encoding encoding = tokenizer->encode(std::string(1000000, 'a') + " b", kPlain);
  EXPECT_EQ(encoding.ids, (Ids{1, 6}));
  EXPECT_EQ(encoding.spans[0].end.byte, 1000000U);
}

}  // namespace
}  // namespace ambry::text
