// Predictions beside those of fastText's own program.
#include <gtest/gtest.h>

#include <string>

#include "api/text_classifier/open_classifier.h"
#include "data_files.h"
#include "formats/fasttext/make_fasttext.h"

namespace ambry::api {
namespace {

using formats::fasttext::testing::classifier_file;
using io::Json;
using testing::labels_of;
using testing::open_classifier;
using testing::predict;

Json document(const std::string& name) {
  const auto path = ambry::testing::fixtures_folder() / "fasttext/classifiers" / name;
  const auto json = io::parse_json(*ambry::testing::read_text(path));
  EXPECT_TRUE(json) << path;
  return *json;
}

std::vector<std::string> texts() {
  const Json list = document("texts.json");
  std::vector<std::string> all;
  for (const Json& text : list.items()) all.push_back(text.string());
  return all;
}

class PredictionsOf : public ::testing::TestWithParam<const char*> {};

// Predictions have the labels of fastText in their order, equal ones included, and the same
// probabilities.
TEST_P(PredictionsOf, EqualThoseOfFastText) {
  const auto session = open_classifier(classifier_file(GetParam()));
  ASSERT_TRUE(session) << describe(session.error());
  const std::vector<std::string> asked = texts();
  const Json answers = document(std::string(GetParam()) + ".json");
  ASSERT_EQ(answers.items().size(), 3U);
  for (const Json& answer : answers.items()) {
    const Json& k = *answer.find("k");
    const std::string most = k.dump() == "-1" ? "1000000" : k.dump();
    const std::string options =
        "{\"k\":" + most + ",\"threshold\":" + answer.find("threshold")->dump() + "}";
    const auto predicted = predict(*session, asked, options);
    ASSERT_TRUE(predicted) << describe(predicted.error());
    const auto& expected = answer.find("predictions")->items();
    ASSERT_EQ(predicted->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE(asked[i] + " " + options);
      const auto& own = expected[i].items();
      ASSERT_EQ((*predicted)[i].size(), own.size());
      for (size_t j = 0; j < own.size(); ++j) {
        EXPECT_EQ((*predicted)[i][j].first, own[j].items()[0].string());
        EXPECT_NEAR((*predicted)[i][j].second, own[j].items()[1].number(), 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FastText, PredictionsOf,
                         ::testing::Values("softmax.bin", "hs.bin", "ns.bin", "ova.bin",
                                           "quantized.ftz", "pruned.ftz", "words-only.ftz",
                                           "quantized-output.ftz", "quantized-softmax.ftz"));

// Sentences that Facebook's own program answered, in the file's column `fastText` (ISO 639-3 there,
// so only what both write alike is compared).
TEST(LanguageIdentification, KnowsTheLanguagesOfSentences) {
  AMBRY_NEEDS_DATA("language_id/lid.176.ftz");
  const auto session = open_classifier(*ambry::testing::data_file("language_id/lid.176.ftz"));
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_EQ(labels_of(*session).size(), 176U);
  const auto predicted =
      predict(*session, {"Wie spät ist es?", "Quelle heure est-il ?", "いま何時ですか。"}, "{}");
  ASSERT_TRUE(predicted);
  EXPECT_EQ((*predicted)[0][0].first, "__label__de");
  EXPECT_EQ((*predicted)[1][0].first, "__label__fr");
  EXPECT_EQ((*predicted)[2][0].first, "__label__ja");
}

}  // namespace
}  // namespace ambry::api
