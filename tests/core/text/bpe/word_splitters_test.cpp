#include "text/bpe/word_cutters.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace ambry::text {
namespace {

// The words between bars.
std::string cut(WordCutter cutter, std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = cutter(text, begin);
    if (end <= begin || end > text.size()) return "no progress";
    if (begin > 0) out += '|';
    out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

// core/text/README.md#word-cutting, measured.
TEST(WordCutters, CutAsGpt2) {
  EXPECT_EQ(cut(cut_gpt2, "Hello  world  "), "Hello| | world|  ");
  EXPECT_EQ(cut(cut_gpt2, "I'LL"), "I|'|LL");
  EXPECT_EQ(cut(cut_gpt2, "I'll've"), "I|'ll|'ve");
  EXPECT_EQ(cut(cut_gpt2, " 's"), " '|s");
  EXPECT_EQ(cut(cut_gpt2, "a\u00a0b"), "a|\u00a0|b");
  EXPECT_EQ(cut(cut_gpt2, "x\u00bd\u00b2 12a"), "x|\u00bd\u00b2| 12|a");
  EXPECT_EQ(cut(cut_gpt2, "e\u0301a"), "e|\u0301|a");
  EXPECT_EQ(cut(cut_gpt2, "'"), "'");
  EXPECT_EQ(cut(cut_gpt2, "a\n\n b"), "a|\n\n| b");
  EXPECT_EQ(cut(cut_gpt2, " "), " ");
}

TEST(WordCutters, CutAsLlama3) {
  EXPECT_EQ(cut(cut_llama3, "I'LL 'S'\u017Fx"), "I|'LL| '|S|'\u017F|x");
  EXPECT_EQ(cut(cut_llama3, "12345 6"), "123|45| |6");
  EXPECT_EQ(cut(cut_llama3, "a.b\t\tc"), "a|.b|\t|\tc");
  EXPECT_EQ(cut(cut_llama3, " !?\r\n\nx"), " !?\r\n\n|x");
  EXPECT_EQ(cut(cut_llama3, "  \n \n  x"), "  \n \n| | x");
  EXPECT_EQ(cut(cut_llama3, "\nx"), "\n|x");
  EXPECT_EQ(cut(cut_llama3, "x   "), "x|   ");
  EXPECT_EQ(cut(cut_qwen2, "12 34"), "1|2| |3|4");
}

TEST(WordCutters, CutAsFalcon) {
  EXPECT_EQ(cut(cut_punctuation_runs, "a!?b \u3002\u300cc"), "a|!?|b |\u3002\u300c|c");
  EXPECT_EQ(cut(cut_three_digits, "12345a678"), "123|45a|678");
  EXPECT_EQ(cut(cut_three_digits, "1"), "1");
  // F2 of U+00F2 (C3 B2) is no digit, but B2 is spelled U+00B2.
  EXPECT_EQ(cut(cut_spelled_digits, "a12\xC3\xB2z"), "a|12|\xC3|\xB2|z");
}

TEST(WordCutters, CutDigitsAndPunctuationApart) {
  EXPECT_EQ(cut(cut_digits, "a12\u0663b"), "a|1|2|\u0663|b");
  EXPECT_EQ(cut(cut_digit_runs, "a12\u0663b"), "a|12\u0663|b");
  EXPECT_EQ(cut(cut_punctuation, "a!?b"), "a|!|?|b");
}

TEST(WordCutters, MoveOnOverEveryCharacter) {
  for (char32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 251) {
    std::string text = "a";
    append_utf8(text, c);
    text += "1 ";
    append_utf8(text, c);
    for (const WordCutter cutter :
         {cut_gpt2, cut_llama3, cut_qwen2, cut_punctuation_runs, cut_punctuation, cut_digits,
          cut_digit_runs, cut_spelled_digits, cut_three_digits}) {
      ASSERT_NE(cut(cutter, text), "no progress") << static_cast<uint32_t>(c);
    }
  }
}

}  // namespace
}  // namespace ambry::text
