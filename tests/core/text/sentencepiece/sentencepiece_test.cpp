// Tests SentencePiece's tokenizers as a whole, on small models.
#include "text/sentencepiece/sentencepiece.h"

#include <gtest/gtest.h>

#include "text/sentencepiece/make_charsmap.h"
#include "text/sentencepiece/make_pieces.h"

namespace ambry::text {
namespace {

using Type = model::SentencePieceModel::Type;
using Ids = std::vector<uint32_t>;
constexpr EncodeOptions kBare = {false, std::nullopt};
const std::string kMark(kSpaceMark);

// 3 "_" 4 "a" 5 "b" 6 "_a" 7 "__" 8 "ab"; with bytes from 9.
model::SentencePieceModel letters(Type type = Type::Bpe, bool bytes = false) {
  std::vector<MadePiece> pieces = {{kMark, -9},       {"a", -8},           {"b", -7},
                                   {kMark + "a", -1}, {kMark + kMark, -2}, {"ab", -3}};
  if (bytes) {
    for (const MadePiece& piece : byte_pieces()) pieces.push_back(piece);
  }
  auto made = make_pieces(type, pieces);
  made.byte_fallback = bytes;
  made.remove_extra_whitespaces = false;
  return made;
}

model::TokenizerData with_added(std::optional<bool> legacy) {
  model::TokenizerData data = tokenizer_data(letters());
  data.legacy = legacy;
  for (uint32_t id = 0; id < 3; ++id) {
    data.added_tokens.push_back({.id = id, .content = std::string(data.vocabulary[id])});
  }
  data.added_tokens.push_back({.id = 20, .content = "<u>", .special = false, .rstrip = true});
  return data;
}

Ids encode(const std::unique_ptr<Tokenizer>& made, std::string_view text) {
  return made->encode(text, kBare).ids;
}

TEST(SentencePiece, EncodesWithADummyPrefix) {
  for (const Type type : {Type::Bpe, Type::Unigram}) {
    const auto made = tokenizer(letters(type));
    EXPECT_EQ(encode(made, "a ab"), (Ids{6, 6, 5}));
    EXPECT_EQ(encode(made, ""), Ids());
  }
}

TEST(SentencePiece, FusesUnknownCharacters) {
  for (const Type type : {Type::Bpe, Type::Unigram}) {
    const auto made = tokenizer(letters(type));
    const Encoding encoding = made->encode("a\xC3\xA9zb", kBare);
    EXPECT_EQ(encoding.ids, (Ids{6, 0, 5}));
    EXPECT_EQ(encoding.spans[1].begin, (TextPosition{1, 1}));
    EXPECT_EQ(encoding.spans[1].end, (TextPosition{4, 3}));
  }
}

TEST(SentencePiece, UnknownCharactersBecomeBytes) {
  const auto made = tokenizer(letters(Type::Bpe, true));
  const Encoding encoding = made->encode(
      "\xF0\x9F\x98\x80"
      "b",
      kBare);
  EXPECT_EQ(encoding.ids, (Ids{3, 9 + 0xF0, 9 + 0x9F, 9 + 0x98, 9 + 0x80, 5}));
  EXPECT_EQ(encoding.spans[2].begin, (TextPosition{0, 0}));
  EXPECT_EQ(encoding.spans[2].end, (TextPosition{4, 2}));
  EXPECT_EQ(encoding.spans[5].begin, (TextPosition{4, 2}));
}

TEST(SentencePiece, TreatsControlPiecesInTextAsText) {
  EXPECT_EQ(encode(tokenizer(letters()), "<s>"), (Ids{3, 0}));
}

TEST(SentencePiece, AddsSpecialTokens) {
  const auto made = tokenizer(letters());
  EXPECT_EQ(made->encode("a", {}).ids, (Ids{1, 6}));
  EXPECT_EQ(made->bos(), 1U);
  EXPECT_EQ(made->end_ids().front(), 2U);
  EXPECT_EQ(made->encode("a ab", {true, 2}).ids, (Ids{1, 6}));
  EXPECT_TRUE(made->encode("a ab", {true, 2}).truncated());
  EXPECT_EQ(tokenizer(letters(Type::Unigram))->encode("a", {}).ids, (Ids{6}));
}

TEST(SentencePiece, LegacyAddsASpaceAfterEachAddedToken) {
  const auto made = tokenizer(with_added({}));
  EXPECT_EQ(encode(made, "a<s> b"), (Ids{6, 1, 7, 5}));
  EXPECT_EQ(encode(made, "<u>\n\n a"), (Ids{20, 6}));
  EXPECT_EQ(encode(made, " a"), (Ids{3, 6}));
  EXPECT_EQ(encode(made, "</s>"), (Ids{2}));
}

TEST(SentencePiece, WithoutLegacyOnlyTheTextGetsASpace) {
  const auto made = tokenizer(with_added(false));
  EXPECT_EQ(encode(made, "a<s>a"), (Ids{6, 1, 4}));
  EXPECT_EQ(encode(made, "<s>a"), (Ids{1, 4}));
  EXPECT_EQ(encode(made, " a"), (Ids{6}));
  EXPECT_EQ(encode(made, kMark + "a"), (Ids{6}));
}

// As npm tokenizers 0.23.2 with the normalizers Prepend and Replace, with the pre-tokenizer
// Metaspace
// (`always`), and as before, where no file states it.
TEST(SentencePiece, LooksForNormalizedTokensWhereTheFileSaysSo) {
  model::TokenizerData data = with_added({});
  data.added_tokens.push_back({.id = 21, .content = "b", .special = false, .normalized = true});
  data.marks_before_added = true;
  EXPECT_EQ(encode(tokenizer(data), "a b<s>b"), (Ids{6, 21, 1, 21}));
  EXPECT_EQ(encode(tokenizer(data), "ab"), (Ids{6, 5}));
  EXPECT_EQ(encode(tokenizer(data), " a"), (Ids{3, 6}));
  data.marks_before_added = false;
  EXPECT_EQ(encode(tokenizer(data), "ab<s> a"), (Ids{6, 21, 1, 6}));
  EXPECT_EQ(encode(tokenizer(data), " a"), (Ids{6}));
  data.marks_before_added = std::nullopt;
  EXPECT_EQ(encode(tokenizer(data), "ab<s> a"), (Ids{6, 21, 1, 3, 6}));
}

TEST(SentencePiece, SpansOfNormalizedTokensAreInTheOriginalText) {
  model::TokenizerData data = with_added({});
  data.added_tokens.push_back({.id = 21, .content = "b", .special = false, .normalized = true});
  data.marks_before_added = true;
  const Encoding encoding = tokenizer(data)->encode("<s>a bb", kBare);
  ASSERT_EQ(encoding.ids, (Ids{1, 6, 21, 5}));
  EXPECT_EQ(encoding.spans[2].begin, (TextPosition{4, 4}));
  EXPECT_EQ(encoding.spans[2].end, (TextPosition{6, 6}));
}

TEST(SentencePiece, SpansAreInTheOriginalText) {
  const Encoding encoding = tokenizer(with_added({}))
                                ->encode(
                                    "\xC3\xA9"
                                    "a<s> b",
                                    kBare);
  ASSERT_EQ(encoding.ids, (Ids{3, 0, 4, 1, 7, 5}));
  EXPECT_EQ(encoding.spans[2].begin, (TextPosition{2, 1}));
  EXPECT_EQ(encoding.spans[3].begin, (TextPosition{3, 2}));
  EXPECT_EQ(encoding.spans[3].end, (TextPosition{6, 5}));
  EXPECT_EQ(encoding.spans[5].begin, (TextPosition{7, 6}));
  EXPECT_EQ(encoding.spans[5].end, (TextPosition{8, 7}));
}

TEST(SentencePiece, FindsTokensByIdAndByText) {
  const auto made = tokenizer(with_added({}));
  EXPECT_EQ(made->size(), 21U);
  EXPECT_EQ(made->token(8), "ab");
  EXPECT_EQ(made->token(20), "<u>");
  EXPECT_EQ(made->token(9), "");
  EXPECT_EQ(made->id("ab"), 8U);
  EXPECT_EQ(made->id("<u>"), 20U);
  EXPECT_EQ(tokenizer(letters(Type::Bpe, true))->id("<0x00>"), 9U);
  EXPECT_FALSE(made->id("zz"));
  EXPECT_FALSE(made->id(""));
  EXPECT_TRUE(made->is_special(1));
  EXPECT_FALSE(made->is_special(20));
}

TEST(SentencePiece, TheFilesOwnSettingsOverrideTheModelFile) {
  model::TokenizerData data = tokenizer_data(letters());
  data.add_prefix_space = false;
  EXPECT_EQ(encode(tokenizer(data), "a"), (Ids{4}));
  data = tokenizer_data(letters());
  data.fuse_unk = false;
  EXPECT_EQ(encode(tokenizer(data), "zz"), (Ids{3, 0, 0}));
}

TEST(SentencePiece, NormalizesByTheCharsmap) {
  auto made = letters();
  const std::string map =
      CharsmapMaker(CharsmapMaker::Rules{{"\xEF\xBD\x81", "a"}, {"\xE3\x80\x80", " "}}).bytes();
  made.charsmap = map;
  EXPECT_EQ(encode(tokenizer(made), "\xE3\x80\x80\xEF\xBD\x81"), (Ids{3, 6}));
}

// core/formats/alt/README.md#merge-order: ALT v1 has neither scores nor types.
TEST(SentencePiece, RunsListsWithoutScores) {
  model::TokenizerData data = tokenizer_data(letters());
  data.payload.clear();
  data.scores.clear();
  data.types.clear();
  const auto made = tokenizer(data);
  // "_a" comes before "__", which is only white space, whatever their ids are.
  EXPECT_EQ(encode(made, " a"), (Ids{3, 6}));
  EXPECT_EQ(encode(made, "<s>"), (Ids{3, 0}));
  EXPECT_EQ(made->decode(Ids{1, 3, 6}, true), " a");
}

TEST(SentencePiece, RunsListsThatSpellSpacesAsSpaces) {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::SentencePieceBpe;
  for (const char* piece : {"<unk>", "\n<s>\n", "\n</s>\n", " ", "a", " a"}) {
    data.vocabulary.push_back(piece);
  }
  data.scores = {0, 0, 0, -2, -3, -1};
  data.unk_id = 0;
  data.bos_id = 1;
  data.eos_id = 2;
  const auto made = tokenizer(data);
  EXPECT_EQ(made->encode("a a", {}).ids, (Ids{1, 5, 5}));
  EXPECT_EQ(made->decode(Ids{1, 5, 5}, true), "a a");
}

TEST(SentencePiece, IgnoresATokenizerJsonBesideTheList) {
  model::TokenizerData data = tokenizer_data(letters());
  data.payload = "{\"version\":\"1.0\"}";
  EXPECT_EQ(encode(tokenizer(data), "ab"), (Ids{6, 5}));
}

void expect_refused(model::TokenizerData data, ErrorCode code, std::string_view path) {
  const auto made = SentencePiece::create(std::move(data));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, code) << describe(made.error());
  EXPECT_EQ(made.error().path, path);
}

TEST(SentencePiece, RejectsUnsupportedModels) {
  model::TokenizerData data = tokenizer_data(letters(Type::Unigram));
  data.payload.clear();
  data.scores.clear();
  expect_refused(data, ErrorCode::NotFound, "tokenizer.scores");
  auto made = letters();
  made.denormalizer_charsmap = "x";
  expect_refused(tokenizer_data(made), ErrorCode::Unsupported, "tokenizer.model.denormalizer_spec");
  made = letters();
  made.charsmap = "xyz";
  expect_refused(tokenizer_data(made), ErrorCode::BadValue, "tokenizer.model.precompiled_charsmap");
  data = tokenizer_data(letters());
  data.bos_id = 9;
  expect_refused(data, ErrorCode::BadValue, "tokenizer.special");
  data = tokenizer_data(letters());
  data.payload = "\x0A\x7F";
  expect_refused(data, ErrorCode::Truncated, "tokenizer.model");
}

}  // namespace
}  // namespace ambry::text
