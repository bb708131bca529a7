// Files of word vectors as people publish them: words with spaces, repeated words, empty lines,
// comments, byte order marks, few numbers in a row, words that are not UTF-8.
#include <gtest/gtest.h>

#include <string>

#include "convert/words/make_records.h"
#include "convert/words/run_words.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

using Words = std::vector<std::string>;

// What a file gives, without naming its format.
struct Published {
  Words words;
  std::vector<float> norms;
  Words warnings;
};

Published publish(std::string_view text, Options options = from_to("", "finalfusion")) {
  const auto made = run_words(file(text), options);
  EXPECT_TRUE(made) << describe(made.error());
  Published published;
  if (!made) return published;
  const Fifu fifu = read_fifu(made->file);
  published.words = fifu.words;
  published.norms = fifu.norms;
  for (const Error& warning : made->warnings) published.warnings.push_back(warning.message);
  return published;
}

TEST(PublishedWords, MayHaveSpaces) {
  for (const char* header : {"", "4 2\n"}) {
    const Published made =
        publish(std::string(header) +
                "the 3.0 4.0\n. . . 0.0 2.0\nat name@example.org  0.6 0.8\na 1.0 0.0\n");
    EXPECT_EQ(made.words, (Words{"the", ". . .", "at name@example.org", "a"})) << header;
    EXPECT_EQ(made.norms, (std::vector<float>{5, 2, 1, 1}));
    EXPECT_EQ(made.warnings, (Words{"2 words have spaces, such as \". . .\""}));
  }
}

TEST(PublishedWords, MayBeginWithAWordWithSpaces) {
  EXPECT_EQ(publish(". . . 0.5 2.5\nthe 1.5 0.5\na 1.5 0.5\n").words, (Words{". . .", "the", "a"}));
}

// Numbers that do not look like those of the vectors belong to the word.
TEST(PublishedWords, MayEndInANumber) {
  EXPECT_EQ(publish("route 66 0.5 2.5\nthe 1.5 0.5\na 1.5 0.5\n").words,
            (Words{"route 66", "the", "a"}));
  std::string text = "windows 3.1 0.5 2.5\n";
  for (int i = 0; i < 30; ++i) text += "w" + std::to_string(i) + " 0.5 2.5\n";
  const Published made = publish(text);
  EXPECT_EQ(made.words.front(), "windows 3.1");
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_EQ(made.warnings[0].find("1 word ends in a number"), 0U) << made.warnings[0];
}

TEST(PublishedWords, WithANumberTooManyAreLeftOutIfLossy) {
  const Published made = publish("a 1 2\nb 1 2 3\nc 3 4\n", lossy(kText));
  EXPECT_EQ(made.words, (Words{"a", "c"}));
  EXPECT_EQ(made.norms[1], 5);
}

TEST(PublishedWords, CountOnceWhenRepeated) {
  const Published made = publish("a 3.0 4.0\nb 0.0 1.0\na 9.0 9.0\nb 9.0 9.0\nc 0.0 2.0\n");
  EXPECT_EQ(made.words, (Words{"a", "b", "c"}));
  EXPECT_EQ(made.norms, (std::vector<float>{5, 1, 2}));
  EXPECT_EQ(made.warnings,
            (Words{"2 rows repeat a word, and the first row of a word counts; such as \"a\""}));
  EXPECT_EQ(
      publish("3 2\na " + floats({3, 4}) + "\na " + floats({1, 1}) + "\nb " + floats({0, 1})).norms,
      (std::vector<float>{5, 1}));
}

TEST(PublishedWords, MayStandBetweenEmptyLinesAndComments) {
  for (const char* header : {"", "2 2\n"}) {
    const std::string rows = std::string(header) + "a 3.0 4.0\n#b 0.0 1.0\n";
    for (const std::string& text :
         {rows + "\n", rows + "\n\n", rows + "  \n", "\n" + rows, "# made by us\n" + rows,
          rows + "# the end\n", rows + "#\n", "\xEF\xBB\xBF" + rows}) {
      const Published made = publish(text);
      EXPECT_EQ(made.words, (Words{"a", "#b"})) << text;
      EXPECT_EQ(made.norms, (std::vector<float>{5, 1})) << text;
      EXPECT_EQ(made.warnings.size(), 1U) << text;
    }
  }
}

TEST(PublishedWords, TellTheLineOfAFaultBehindOthers) {
  expect_error(file("# one\n\na 1 2\n\nb 1 nan\n"), kText, ErrorCode::BadValue, "rows[1].values[1]",
               18);
  EXPECT_EQ(words_error(file("# one\n\na 1 2\n\nb 1 nan\n"), kText).message,
            "line 5, column 5: \"nan\" is no finite number");
  EXPECT_EQ(words_error(file("# one\n2 2\n\na 1 2\nb 1\n"), kTextDims).message,
            "line 5: the row has 1 value, but the first line states 2");
}

TEST(PublishedWords, AreLeftOutWithoutAWord) {
  const Published made = publish("a 3.0 4.0\n 1.0 1.0\nb 0.0 1.0\n", kText);
  EXPECT_EQ(made.words, (Words{"a", "b"}));
  EXPECT_EQ(made.warnings, (Words{"line 2: the word is empty; left out"}));
}

TEST(PublishedWords, MayHaveTwoNumbers) {
  EXPECT_EQ(publish("a 1 2\nb 1 2\n").words, (Words{"a", "b"}));
  for (const char* text : {"a 1\nb 2\n", "1 2 3\n4 5 6\n", "a 1 2\nb 1\n", "a 1 2\nb c d\n"}) {
    EXPECT_EQ(words_error(file(text), from_to("", "finalfusion")).code, ErrorCode::BadMagic)
        << text;
  }
}

TEST(PublishedWords, ThatAreNotUtf8StayTwo) {
  const std::string text = "\xC3 1.5 2.5\n\xC4 1.5 2.5\n\xEF\xBF\xBD 1.5 2.5\n";
  const Published made = publish(text);
  EXPECT_EQ(made.words, (Words{"\xEF\xBF\xBD(2)", "\xEF\xBF\xBD(3)", "\xEF\xBF\xBD"}));
  EXPECT_EQ(made.warnings, (Words{"2 words are not valid UTF-8 and shown with U+FFFD"}));
}

}  // namespace
}  // namespace ambry::convert
