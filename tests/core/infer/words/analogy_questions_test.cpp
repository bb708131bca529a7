#include "infer/words/analogy_questions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "infer/words/synthetic_words.h"

namespace ambry::infer {
namespace {

// d is what b - a + c points to.
WordVectors analogy_words() {
  return testing::make_vectors({{"a", {1, 0, 0}},
                                {"b", {0, 1, 0}},
                                {"c", {1, 0, 0.1F}},
                                {"d", {0, 1, 0.2F}},
                                {"e", {0, 0, 1}}});
}

AnalogyQuestions ask_all(std::string_view text) {
  auto questions = AnalogyQuestions::parse(text);
  EXPECT_TRUE(questions) << describe(questions.error());
  const WordVectors vectors = analogy_words();
  const size_t first = questions->size() / 2;
  EXPECT_TRUE(questions->ask(vectors, 0, first));
  EXPECT_TRUE(questions->ask(vectors, first, questions->size() - first));
  return std::move(*questions);
}

TEST(AnalogyQuestions, CountsBySection) {
  const AnalogyQuestions questions = ask_all(
      ": second\n"
      "a b c d\n"
      "a b c e\n"  // wrong
      "a b x d\n"  // cannot be asked: wrong
      ": first\r\n"
      "a b c x\r\n"  // the answer is not in the vocabulary: skipped
      "\n"
      ": second\n"
      "  a\tb  c d \n");
  ASSERT_EQ(questions.sections().size(), 2U);
  const AnalogySection& first = questions.sections()[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.count, 0U);
  EXPECT_EQ(first.skipped, 1U);
  const AnalogySection& second = questions.sections()[1];
  EXPECT_EQ(second.name, "second");
  EXPECT_EQ(second.correct, 2U);
  EXPECT_EQ(second.count, 4U);
  EXPECT_EQ(second.skipped, 0U);
  // Three answers of (0, 1, 0.1) · (0, 1, 0.2); one question has no answer.
  EXPECT_NEAR(second.cosines, 3 * 1.02 / std::sqrt(1.01), 1e-5);
}

TEST(AnalogyQuestions, PutsQuestionsBeforeAHeaderInAnUnnamedSection) {
  const AnalogyQuestions questions = ask_all("a b c d");
  ASSERT_EQ(questions.sections().size(), 1U);
  EXPECT_EQ(questions.sections()[0].name, "");
  EXPECT_EQ(questions.sections()[0].correct, 1U);
}

TEST(AnalogyQuestions, NamesTheInvalidLine) {
  for (const char* line : {"a b c", "a b c d e", ":section"}) {
    const auto questions = AnalogyQuestions::parse(std::string(": s\na b c d\n") + line);
    ASSERT_FALSE(questions) << line;
    EXPECT_EQ(questions.error().code, ErrorCode::BadValue);
    EXPECT_EQ(questions.error().path, "questions[2]");
    EXPECT_EQ(questions.error().byte_offset, 12U);
  }
  const auto bad_text = AnalogyQuestions::parse("a b c \xFF");
  ASSERT_FALSE(bad_text);
  EXPECT_EQ(bad_text.error().byte_offset, 6U);
}

TEST(AnalogyQuestions, AcceptsAnEmptyFile) {
  EXPECT_EQ(ask_all("").size(), 0U);
  EXPECT_EQ(ask_all("\n\n").sections().size(), 0U);
}

}  // namespace
}  // namespace ambry::infer
