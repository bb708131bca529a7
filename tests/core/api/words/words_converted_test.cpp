// Converts files of other formats to finalfusion and queries them: the assertions of the
// references' tests, and the analogy questions over real vectors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/words/open_words.h"
#include "convert/words/run_words.h"
#include "data_files.h"

namespace ambry::api {
namespace {

using ambry::testing::data_file;
using convert::testing::convert_words;
using convert::testing::from_to;
using testing::File;
using testing::open_words;
using testing::ranking;
using testing::words_of;

using Words = std::vector<std::string>;

WordsModel converted(const File& file, const char* from) {
  auto session = open_words(convert_words(file, from_to(from, "finalfusion")));
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(*session);
}

TEST(ConvertedWords, OfFastTextMatchTheReferencesSimilarities) {
  AMBRY_NEEDS_DATA("finalfusion");
  const auto file = data_file("finalfusion/rust/fasttext.bin");
  ASSERT_TRUE(file);
  const WordsModel session = converted(*file, "fasttext");
  testing::expect_near(ranking(session.similar("über", R"({"k": 3})")),
                       {{"auf", 0.568513}, {"vor", 0.551551}, {"durch", 0.547349}}, 1e-6);
  testing::expect_near(ranking(session.similar("unknown", R"({"k": 3})")),
                       {{"einer", 0.691177}, {"und", 0.576449}, {"des", 0.570398}}, 1e-6);
  const auto found = session.vectors(R"(["ganz", "iddqd", "idspispopd"])", false);
  EXPECT_EQ(found->found, (std::vector<uint8_t>{1, 2, 2}));
}

TEST(ConvertedWords, OfWord2vecMatchTheReferencesSimilarities) {
  AMBRY_NEEDS_DATA("finalfusion");
  const auto similarity = data_file("finalfusion/rust/similarity.bin");
  const auto analogy = data_file("finalfusion/rust/analogy.bin");
  ASSERT_TRUE(similarity && analogy);
  const auto near = ranking(converted(*similarity, "word2vec").similar("Stuttgart", R"({"k": 3})"));
  EXPECT_EQ(words_of(near), (Words{"Karlsruhe", "Mannheim", "München"}));
  const auto answers = ranking(
      converted(*analogy, "word2vec").analogy("Paris", "Frankreich", "Berlin", R"({"k": 2})"));
  EXPECT_EQ(words_of(answers), (Words{"Deutschland", "Westdeutschland"}));
}

struct Section {
  const char* name;
  uint64_t correct;
  uint64_t count;
  uint64_t skipped;
  double average_cosine;
};

// Printed by tests/reference/words/analogy_accuracy.py.
constexpr Section kSections[] = {
    {"capital-common-countries", 0, 0, 253, 0.0},
    {"capital-world", 0, 0, 2262, 0.0},
    {"city-in-state", 0, 0, 1234, 0.0},
    {"currency", 0, 123, 310, 0.0},
    {"family", 35, 165, 88, 0.490905},
    {"gram1-adjective-to-adverb", 4, 372, 124, 0.516168},
    {"gram2-opposite", 0, 56, 350, 0.092065},
    {"gram3-comparative", 56, 414, 252, 0.537109},
    {"gram4-superlative", 8, 165, 396, 0.311885},
    {"gram5-present-participle", 90, 416, 112, 0.694784},
    {"gram6-nationality-adjective", 0, 0, 800, 0.0},
    {"gram7-past-tense", 57, 585, 195, 0.554129},
    {"gram8-plural", 87, 486, 180, 0.630968},
    {"gram9-plural-verbs", 65, 290, 145, 0.589909},
};

TEST(ConvertedWords, AnswerAsManyAnalogiesAsBruteForce) {
  const char* kVectors = "wordvec/glove-twitter-25d-12k/glove.twitter.27B.25d.top12k.txt";
  const char* kQuestions = "eval/analogy/questions-words.even.txt";
  AMBRY_NEEDS_DATA(kVectors, kQuestions);
  const auto vectors = data_file(kVectors);
  const auto questions = data_file(kQuestions);
  ASSERT_TRUE(vectors && questions);
  AccuracyJob job(converted(*vectors, "text").shared_vectors());
  ASSERT_TRUE(job.add_questions(as_text(*questions)));
  EXPECT_EQ(job.total(), 9773U);
  size_t n_steps = 0;
  for (bool done = false; !done; ++n_steps) done = *job.step();
  EXPECT_GT(n_steps, 10U);  // with a pause between them
  const auto report = io::parse_json(job.report());
  const auto& sections = report->find("sections")->items();
  ASSERT_EQ(sections.size(), std::size(kSections));
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section& expected = kSections[i];
    EXPECT_EQ(sections[i].find("name")->string(), expected.name);
    EXPECT_EQ(sections[i].find("correct")->uint(), expected.correct) << expected.name;
    EXPECT_EQ(sections[i].find("count")->uint(), expected.count) << expected.name;
    EXPECT_EQ(sections[i].find("skipped")->uint(), expected.skipped) << expected.name;
    const io::Json& average = *sections[i].find("averageCosine");
    ASSERT_EQ(average.is_null(), expected.count == 0) << expected.name;
    if (average.is_null()) continue;
    EXPECT_NEAR(average.number(), expected.average_cosine, 1e-5) << expected.name;
  }
}

}  // namespace
}  // namespace ambry::api
