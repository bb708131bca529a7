#include "text/bpe/word_splitters.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace ambry::text {
namespace {

// The words, separated by bars.
std::string split(WordSplitter splitter, std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = splitter(text, begin);
    if (end <= begin || end > text.size()) return "no progress";
    if (begin > 0) out += '|';
    out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

// core/text/README.md#word-cutting, measured.
TEST(WordSplitters, SplitLikeGpt2) {
  EXPECT_EQ(split(split_gpt2, "Hello  world  "), "Hello| | world|  ");
  EXPECT_EQ(split(split_gpt2, "I'LL"), "I|'|LL");
  EXPECT_EQ(split(split_gpt2, "I'll've"), "I|'ll|'ve");
  EXPECT_EQ(split(split_gpt2, " 's"), " '|s");
  EXPECT_EQ(split(split_gpt2, "a\u00a0b"), "a|\u00a0|b");
  EXPECT_EQ(split(split_gpt2, "x\u00bd\u00b2 12a"), "x|\u00bd\u00b2| 12|a");
  EXPECT_EQ(split(split_gpt2, "e\u0301a"), "e|\u0301|a");
  EXPECT_EQ(split(split_gpt2, "'"), "'");
  EXPECT_EQ(split(split_gpt2, "a\n\n b"), "a|\n\n| b");
  EXPECT_EQ(split(split_gpt2, " "), " ");
}

TEST(WordSplitters, SplitLikeLlama3) {
  EXPECT_EQ(split(split_llama3, "I'LL 'S'\u017Fx"), "I|'LL| '|S|'\u017F|x");
  EXPECT_EQ(split(split_llama3, "12345 6"), "123|45| |6");
  EXPECT_EQ(split(split_llama3, "a.b\t\tc"), "a|.b|\t|\tc");
  EXPECT_EQ(split(split_llama3, " !?\r\n\nx"), " !?\r\n\n|x");
  EXPECT_EQ(split(split_llama3, "  \n \n  x"), "  \n \n| | x");
  EXPECT_EQ(split(split_llama3, "\nx"), "\n|x");
  EXPECT_EQ(split(split_llama3, "x   "), "x|   ");
  EXPECT_EQ(split(split_qwen2, "12 34"), "1|2| |3|4");
}

TEST(WordSplitters, SplitLikeFalcon) {
  EXPECT_EQ(split(split_punctuation_runs, "a!?b \u3002\u300cc"), "a|!?|b |\u3002\u300c|c");
  EXPECT_EQ(split(split_three_digits, "12345a678"), "123|45a|678");
  EXPECT_EQ(split(split_three_digits, "1"), "1");
  // F2 of U+00F2 (C3 B2) is not a digit, but B2 is spelled U+00B2.
  EXPECT_EQ(split(split_spelled_digits, "a12\xC3\xB2z"), "a|12|\xC3|\xB2|z");
}

TEST(WordSplitters, SplitLikeCl100k) {
  EXPECT_EQ(split(split_cl100k, "I'LL 12345"), "I|'LL| |123|45");
  EXPECT_EQ(split(split_cl100k, "x\n\n  y\n\n  "), "x|\n\n| | y|\n\n  ");
  EXPECT_EQ(split(split_llama3, "y\n\n  "), "y|\n\n|  ");
  EXPECT_EQ(split(split_cl100k, "  "), "  ");
}

TEST(WordSplitters, SplitLikeTekken) {
  EXPECT_EQ(split(split_tekken, "HelloWorld don'T 123"), "Hello|World| don|'T| |1|2|3");
  EXPECT_EQ(split(split_tekken, "a//\n b"), "a|//\n| b");
}

// Measured with the expressions of the models' files.
TEST(WordSplitters, SplitLikeO200k) {
  EXPECT_EQ(split(split_o200k, "HelloWorld ABc don'T"), "Hello|World| ABc| don'T");
  EXPECT_EQ(split(split_o200k, "\u00aaAB"), "\u00aa|AB");
  EXPECT_EQ(split(split_o200k, "e\u0301a \u0301"), "e\u0301a| \u0301");
  EXPECT_EQ(split(split_o200k, "1234 a/\n/b"), "123|4| a|/\n/|b");
}

// As npm tokenizers 0.23.2 splits with the expressions of the models' files.
TEST(WordSplitters, SplitLikeTekkenAndQwen35) {
  EXPECT_EQ(split(split_tekken, "HelloWorld don'T 12 a/\n/b"),
            "Hello|World| don|'T| |1|2| a|/\n/|b");
  EXPECT_EQ(split(split_tekken, "!\u0301b!!\u0301 'S"), "!\u0301b|!!\u0301| '|S");
  EXPECT_EQ(split(split_qwen35, "HelloWorld don'T 12 a/\n/b"),
            "HelloWorld| don|'T| |1|2| a|/\n|/b");
  EXPECT_EQ(split(split_qwen35, "e\u0301a \u0301 !\u0301b!!\u0301 'S"),
            "e\u0301a| \u0301| !|\u0301b|!!|\u0301| '|S");
  EXPECT_EQ(split(split_qwen35, "x\r\n \n  y"), "x|\r\n \n| | y");
}

TEST(WordSplitters, SplitLikeVariantsOfQwen2) {
  EXPECT_EQ(split(split_seed_coder, "don'T 12 a/\n/b ?!\n\n"), "don|'T| |1|2| a|/|\n|/b| ?!|\n\n");
  EXPECT_EQ(split(split_seed_coder, "e\u0301a !\u0301b"), "e|\u0301a| !\u0301|b");
  EXPECT_EQ(split(split_ufakzeka, "Ali'nin 12 a/\n/b"), "Ali|'nin| |1|2| a|/\n|/b");
  EXPECT_EQ(split(split_line_feed_runs, "a?\n\nb \r\n"), "a?|\n\n|b \r|\n");
}

TEST(WordSplitters, SplitLikeClipBloomAndDeepseek) {
  EXPECT_EQ(split(split_clip, "ab12 <|endoftext|>'s!"), "ab|1|2| |<|endoftext|>|'s|!");
  EXPECT_EQ(split(split_bloom, "a b, (c"), "a| b|, (|c");
  EXPECT_EQ(split(split_spaced_letters, "1 ab\tc"), "1| ab|\tc");
  EXPECT_EQ(split(split_last_spaces, "a b  "), "a b|  ");
  EXPECT_EQ(split(split_last_spaces, "a \nb"), "a| |\nb");
  EXPECT_EQ(split(split_three_numbers, "a1234"), "a|123|4");
  EXPECT_EQ(split(split_deepseek3, ".ab c!?\n 1"), ".ab| c|!?\n| |1");
}

// By hand, from the expressions of llama.cpp v0.5.0.
TEST(WordSplitters, SplitLikeNamesOfLlamaCpp) {
  EXPECT_EQ(split(split_ggml_punctuation, "a$+b`c\u3002!"), "a|$+|b`c|\u3002!");
  EXPECT_EQ(split(split_number_runs, " 12\u0663b"), " |12\u0663|b");
  EXPECT_EQ(split(split_thousands, "ab1234567"), "ab1|234|567");
  EXPECT_EQ(split(split_thousands, "123456"), "123|456");
  EXPECT_EQ(split(split_thousands, "123ab12"), "123ab12");
  EXPECT_EQ(split(split_whole_thousands, "v1234567 12x 123"), "v|1|234|567| 12x |123");
  EXPECT_EQ(split(split_number_thousands, "v1234x\u0663\u0663\u0663\u0663"),
            "v|1|234|x|\u0663|\u0663\u0663\u0663");
  EXPECT_EQ(split(split_afmoe_scripts, "a\u4e2d\u30a2b"), "a|\u4e2d\u30a2|b");
  EXPECT_EQ(split(split_youtu_scripts, "a\uac00\u4e2d\uff0c\u3002"),
            "a|\uac00|\u4e2d|\uff0c\u3002");
  EXPECT_EQ(split(split_youtu, "HelloWorld's 12"), "Hello|World's| |1|2");
  EXPECT_EQ(split(split_spark, ".ab c!?\n\n 1"), ".ab| c|!?|\n|\n| |1");
  EXPECT_EQ(split(split_exaone_moe, " ab cd  ef 12!\n\n"), " ab cd| | ef| |1|2|!\n|\n");
}

TEST(WordSplitters, CutLongNumbersInOnePass) {
  const std::string digits(1 << 20, '1');
  for (const WordSplitter splitter :
       {split_thousands, split_whole_thousands, split_number_thousands}) {
    EXPECT_EQ(splitter(digits, 0), 1U);
    EXPECT_EQ(splitter(digits, 1), 4U);
  }
}

TEST(WordSplitters, SeparateDigitsAndPunctuation) {
  EXPECT_EQ(split(split_digits, "a12\u0663b"), "a|1|2|\u0663|b");
  EXPECT_EQ(split(split_digit_runs, "a12\u0663b"), "a|12\u0663|b");
  EXPECT_EQ(split(split_punctuation, "a!?b"), "a|!|?|b");
}

TEST(WordSplitters, MakeProgressOverEveryCharacter) {
  for (char32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 251) {
    std::string text = "a";
    append_utf8(text, c);
    text += "1 ";
    append_utf8(text, c);
    for (const WordSplitter splitter :
         {split_gpt2, split_llama3, split_qwen2, split_punctuation_runs, split_punctuation,
          split_digits, split_digit_runs, split_spelled_digits, split_three_digits,
          split_ggml_punctuation, split_thousands, split_whole_thousands, split_number_thousands,
          split_spark, split_exaone_moe}) {
      ASSERT_NE(split(splitter, text), "no progress") << static_cast<uint32_t>(c);
    }
  }
}

}  // namespace
}  // namespace ambry::text
