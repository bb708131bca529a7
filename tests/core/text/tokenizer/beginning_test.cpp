#include "text/tokenizer/beginning.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "text/wordpiece/wordpiece.h"

namespace ambry::text {
namespace {

std::unique_ptr<Tokenizer> word_pieces() {
  model::TokenizerData data;
  for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "b"}) {
    data.vocabulary.push_back(token);
  }
  auto made = WordPiece::create(std::move(data));
  EXPECT_TRUE(made) << describe(made.error());
  return std::move(made).value();
}

std::string repeated(const std::string& part, size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) text += part;
  return text;
}

TEST(Beginning, IsTheWholeTextWhereThatIsShort) {
  const auto tokenizer = word_pieces();
  const std::string text = repeated("a b ", 1000);
  EXPECT_EQ(beginning_of(*tokenizer, text, 10), text);
  EXPECT_EQ(beginning_of(*tokenizer, text, text.size()), text);
  EXPECT_EQ(beginning_of(*tokenizer, "", 10), "");
}

TEST(Beginning, HasTheFirstTokensOfALongText) {
  const auto tokenizer = word_pieces();
  const std::string text = repeated("a bab aa ", 100'000);
  const std::string_view part = beginning_of(*tokenizer, text, 512);
  EXPECT_LT(part.size(), 40'000U);
  const EncodeOptions options{.add_special = true, .max_length = 512};
  const Encoding cut = tokenizer->encode(part, options);
  const Encoding whole = tokenizer->encode(text, options);
  EXPECT_EQ(cut.ids, whole.ids);
  EXPECT_GT(cut.full_length, 1024U);
}

TEST(Beginning, GrowsWhereTokensAreLong) {
  const auto tokenizer = word_pieces();
  // Words that are too long are one token each.
  const std::string text = repeated(repeated("b", 3000) + " ", 1000);
  const std::string_view part = beginning_of(*tokenizer, text, 20);
  EXPECT_GT(part.size(), 104U * 3000);
  EXPECT_LT(part.size(), text.size());
  EXPECT_EQ(count_tokens(*tokenizer, text, 20), 20U);
  EXPECT_EQ(count_tokens(*tokenizer, text), 1000U);
}

TEST(Beginning, IsTheWholeTextWhereItsTokensAreTooFew) {
  const auto tokenizer = word_pieces();
  const std::string text(100'000, 'b');
  EXPECT_EQ(beginning_of(*tokenizer, text, 20), text);
  EXPECT_EQ(count_tokens(*tokenizer, text, 20), 1U);
}

TEST(Beginning, CutsNoCharacter) {
  const auto tokenizer = word_pieces();
  const std::string text = "a" + repeated("\xF0\x9F\x98\x80 ", 100'000);
  const std::string_view part = beginning_of(*tokenizer, text, 100);
  EXPECT_LT(part.size(), text.size());
  EXPECT_NE(static_cast<unsigned char>(text[part.size()]) & 0xC0U, 0x80U);
}

TEST(Beginning, CountsAllTokensWithoutALimit) {
  const auto tokenizer = word_pieces();
  const std::string text = repeated("a b ", 50'000);
  EXPECT_EQ(count_tokens(*tokenizer, text), 100'000U);
  EXPECT_EQ(count_tokens(*tokenizer, text, 99'999), 99'999U);
  EXPECT_EQ(count_tokens(*tokenizer, text, 200'000), 100'000U);
}

TEST(Beginning, SaysHowManyTokensATextHas) {
  const Error error = too_long("texts[3]", 9, 8);
  EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error.path, "texts[3]");
  EXPECT_EQ(error.message, "the text has 9 tokens, but the model takes at most 8");
  // Not more than twice as many were read.
  const Error far = too_long("texts[3]", 17, 8, "both texts have together ");
  EXPECT_EQ(far.message,
            "both texts have together at least 17 tokens, but the model takes at most 8");
}

}  // namespace
}  // namespace ambry::text
