// Decodes by both rules, all ids at once and one after another.
#include "text/sentencepiece/sentencepiece_decoder.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "text/sentencepiece/make_pieces.h"
#include "text/tokenizer/stream_detokenizer.h"

namespace ambry::text {
namespace {

constexpr std::string_view kBad = "\xEF\xBF\xBD";
using Ids = std::vector<uint32_t>;

// 3 "_" 4 "_a" 5 "b" 6 "__b" 7 "c_", the bytes from 8.
model::SentencePieceModel made_pieces() {
  const std::string mark(kSpaceMark);
  std::vector<MadePiece> pieces = {
      {mark, -1}, {mark + "a"}, {"b"}, {mark + mark + "b"}, {"c" + mark}};
  for (const MadePiece& piece : byte_pieces()) pieces.push_back(piece);
  auto made = make_pieces(model::SentencePieceModel::Type::Bpe, pieces);
  made.byte_fallback = true;
  made.remove_extra_whitespaces = false;
  return made;
}

uint32_t byte_id(uint8_t byte) { return 8U + byte; }

std::unique_ptr<Tokenizer> hugging_face() {
  model::TokenizerData data = tokenizer_data(made_pieces());
  for (uint32_t id = 0; id < 3; ++id) {
    data.added_tokens.push_back({.id = id, .content = std::string(data.vocabulary[id])});
  }
  data.added_tokens.push_back({.id = 300, .content = "<new>", .special = false});
  return tokenizer(std::move(data));
}

TEST(SentencePieceDecoder, DropsTheLeadingSpace) {
  auto made = made_pieces();
  EXPECT_EQ(tokenizer(made)->decode(Ids{4, 4}, true), "a a");
  EXPECT_EQ(tokenizer(made)->decode(Ids{6, 5}, true), " bb");
  EXPECT_EQ(tokenizer(made)->decode(Ids{3, 4}, true), " a");
  EXPECT_EQ(tokenizer(made)->decode(Ids{1, 3, 2, 4}, true), " a");
  made.remove_extra_whitespaces = true;
  EXPECT_EQ(tokenizer(made)->decode(Ids{3, 3, 4}, true), "a");
  made.remove_extra_whitespaces = made.add_dummy_prefix = false;
  EXPECT_EQ(tokenizer(made)->decode(Ids{4}, true), " a");
}

TEST(SentencePieceDecoder, ShowsSpecialPiecesOnRequest) {
  const auto made = tokenizer(made_pieces());
  EXPECT_EQ(made->decode(Ids{1, 4, 0, 5, 2}, true), "a \xE2\x81\x87 b");
  EXPECT_EQ(made->decode(Ids{1, 4, 5, 2}, false), "<s> ab</s>");
}

TEST(SentencePieceDecoder, SkipsUnknownIds) {
  EXPECT_EQ(tokenizer(made_pieces())->decode(Ids{5, 264, 5, UINT32_MAX}, true), "bb");
  EXPECT_EQ(hugging_face()->decode(Ids{5, 264, 5, UINT32_MAX}, true), "bb");
}

TEST(SentencePieceDecoder, CombinesBytePieces) {
  const Ids euro = {byte_id(0xE2), byte_id(0x82), byte_id(0xAC)};
  const Ids broken = {5, byte_id(0xE2), byte_id(0x82), byte_id('x'), 5};
  const std::string two = std::string(kBad) + std::string(kBad);
  for (const auto& made : {tokenizer(made_pieces()), hugging_face()}) {
    EXPECT_EQ(made->decode(euro, true), "\xE2\x82\xAC");
    EXPECT_EQ(made->decode(Ids{5, byte_id(' '), 4}, true), "b  a");
  }
  // For a run that is not UTF-8, SentencePiece keeps the valid parts and Hugging Face keeps none.
  EXPECT_EQ(tokenizer(made_pieces())->decode(broken, true), "b" + two + "xb");
  EXPECT_EQ(hugging_face()->decode(broken, true), "b" + two + std::string(kBad) + "b");
}

TEST(SentencePieceDecoder, DropsOneSpaceByHuggingFacesRules) {
  const auto made = hugging_face();
  EXPECT_EQ(made->decode(Ids{1, 4, 4}, true), "a a");
  EXPECT_EQ(made->decode(Ids{1, 4, 4}, false), "<s> a a");
  EXPECT_EQ(made->decode(Ids{6}, true), " b");
  EXPECT_EQ(made->decode(Ids{byte_id(' '), 5}, true), "b");
  EXPECT_EQ(made->decode(Ids{4, 300, 4, 0}, true), "a<new> a");
}

TEST(StreamDetokenizer, ReturnsOnlyCertainText) {
  const auto made = tokenizer(made_pieces());
  StreamDetokenizer stream(*made);
  EXPECT_EQ(stream.push(1), "");
  EXPECT_EQ(stream.push(4), "a");
  EXPECT_EQ(stream.push(byte_id(0xE2)), "");
  EXPECT_EQ(stream.push(byte_id(0x82)), "");
  EXPECT_EQ(stream.push(byte_id(0xAC)), "\xE2\x82\xAC");
  EXPECT_EQ(stream.push(byte_id(0xE2)), "");
  EXPECT_EQ(stream.finish(), kBad);
  EXPECT_EQ(stream.push(4), "a");  // starts a new text
}

TEST(StreamDetokenizer, PartsAreUtf8AndAddUpToTheText) {
  auto plain = made_pieces();
  plain.add_dummy_prefix = false;
  plain.remove_extra_whitespaces = true;
  Random random(7);
  for (const auto& made : {tokenizer(made_pieces()), hugging_face(), tokenizer(plain)}) {
    for (int round = 0; round < 2000; ++round) {
      Ids ids;
      const auto few = [&random](uint32_t n) { return static_cast<uint32_t>(random.below(n)); };
      for (uint32_t n = few(12); n > 0; --n) {
        constexpr uint8_t kBytes[] = {0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0x20, 0x41, 0xFF};
        ids.push_back(few(2) == 0 ? few(10) : byte_id(kBytes[few(10)]));
      }
      const bool skip = few(2) == 0;
      StreamDetokenizer stream(*made, skip);
      std::string added;
      for (const uint32_t id : ids) {
        const std::string part = stream.push(id);
        EXPECT_FALSE(find_invalid_utf8(part));
        added += part;
      }
      added += stream.finish();
      EXPECT_EQ(added, made->decode(ids, skip));
      EXPECT_FALSE(find_invalid_utf8(added));
    }
  }
}

}  // namespace
}  // namespace ambry::text
