// A fastText model that is opened as it is gives fastText's own vectors, nearest words and
// analogies (tests/reference/words/fasttext_nearest.py asked fastText for them). Its n-grams have
// one character, and some of its words are not UTF-8.
#include <gtest/gtest.h>

#include <string>

#include "api/words/open_words.h"
#include "convert/words/make_fasttext.h"
#include "convert/words/run_words.h"
#include "infer/words/sentences.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using convert::testing::convert_words;
using convert::testing::fasttext_fixture;
using convert::testing::from_to;
using convert::testing::text_of;
using testing::open_words;
using testing::ranking;

// As open() converts a file that does not run as it is.
WordsModel opened(const testing::File& file) {
  convert::Options options = from_to("", "finalfusion");
  options.to_run = true;
  auto model = open_words(convert_words(file, options));
  EXPECT_TRUE(model) << describe(model.error());
  return std::move(*model);
}

class FastTextOwn : public ::testing::Test {
 protected:
  FastTextOwn() : model_(opened(fasttext_fixture("brackets.bin"))) {
    auto json = io::parse_json(text_of(fasttext_fixture("brackets.json")));
    EXPECT_TRUE(json);
    answers_ = std::move(*json);
  }

  static std::vector<float> floats(const io::Json& list) {
    std::vector<float> values;
    for (const io::Json& value : list.items()) {
      values.push_back(static_cast<float>(value.number()));
    }
    return values;
  }
  static testing::Ranking hits(const io::Json& list) {
    testing::Ranking ranking;
    for (const io::Json& hit : list.items()) {
      ranking.emplace_back(hit.items()[0].string(), hit.items()[1].number());
    }
    return ranking;
  }

  WordsModel model_;
  io::Json answers_;
};

TEST_F(FastTextOwn, VectorsAreTheSame) {
  for (const io::Json& answer : answers_.find("vectors")->items()) {
    const std::string& shown = answer.items()[0].string();
    std::string word;
    for (const io::Json& byte : answer.items()[1].items()) word += static_cast<char>(byte.uint());
    const std::vector<float> wanted = floats(answer.items()[2]);
    std::vector<float> found(model_.shared_vectors()->dim());
    const auto lookup = model_.shared_vectors()->look_up(word, found);
    ASSERT_TRUE(lookup) << describe(lookup.error());
    for (float& x : found) x *= lookup->norm;
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6) << shown;
  }
}

TEST_F(FastTextOwn, NearestWordsAreTheSame) {
  for (const auto& [word, nearest] : answers_.find("nearest")->members()) {
    SCOPED_TRACE(word);
    testing::expect_near(ranking(model_.similar(word, R"({"k": 5})")), hits(nearest), 1e-6);
  }
}

TEST_F(FastTextOwn, AnalogiesAreTheSame) {
  for (const io::Json& asked : answers_.find("analogies")->items()) {
    // fastText computes a - b + c.
    const auto found = model_.analogy(asked.find("b")->string(), asked.find("a")->string(),
                                      asked.find("c")->string(), R"({"k": 5})");
    testing::expect_near(ranking(found), hits(*asked.find("nearest")), 1e-6);
  }
}

TEST_F(FastTextOwn, TextsAreMeansWithoutVectorsOfZeros) {
  for (const auto& [text, wanted] : answers_.find("texts")->members()) {
    const infer::SentenceOptions options{infer::WordWeights::Mean, false};
    std::vector<float> found(model_.shared_vectors()->dim());
    ASSERT_TRUE(infer::SentenceEncoder(*model_.shared_vectors(), options).encode(text, found));
    const std::vector<float> values = floats(wanted);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], values[i], 1e-6) << text;
  }
}

// Two words that are shown alike stay two, and both are found by their bytes.
TEST(FastTextBytes, FindWordsThatAreNotUtf8) {
  convert::testing::FastTextMaker maker;
  maker.entries = {{"b\xC3", 0}, {"b\xC4", 0}};
  const WordsModel model = opened(maker.make());
  EXPECT_EQ(model.list(0, 10), "[\"b\xEF\xBF\xBD\",\"b\xEF\xBF\xBD\"]");
  const auto& vectors = *model.shared_vectors();
  EXPECT_EQ(vectors.find("b\xC3"), 0U);
  EXPECT_EQ(vectors.find("b\xC4"), 1U);
  EXPECT_EQ(vectors.find("b\xEF\xBF\xBD"), 0U);
  EXPECT_EQ(vectors.find("b\xC5"), std::nullopt);
  EXPECT_EQ(testing::words_of(ranking(model.similar("b\xEF\xBF\xBD", "{}"))),
            (std::vector<std::string>{"b\xEF\xBF\xBD"}));
}

TEST(FastTextBytes, KeepWordsOfTextsApart) {
  const WordsModel model =
      opened(convert::testing::bytes_of_text("\xC3 1.5 2.5\n\xC4 2.5 2.5\nb 1.5 0.5\n"));
  EXPECT_EQ(model.shared_vectors()->n_words(), 3U);
  EXPECT_EQ(model.shared_vectors()->find("\xC4"), 1U);
}

}  // namespace
}  // namespace ambry::api
