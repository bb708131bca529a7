// Loading classifiers, their description, options, and what texts mean.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "api/text_classifier/open_classifier.h"
#include "base/bytes.h"
#include "formats/fasttext/make_fasttext.h"

namespace ambry::api {
namespace {

using formats::fasttext::testing::classifier_file;
using formats::fasttext::testing::make_words;
using io::Json;
using testing::File;
using testing::fill_sink;
using testing::open_classifier;
using testing::predict;
using testing::Predictions;

Predictions one(const TextClassifierModel& session, const std::string& text,
                const std::string& options = "{\"k\":3}") {
  const auto predicted = predict(session, {text}, options);
  EXPECT_TRUE(predicted) << describe(predicted.error());
  return predicted ? (*predicted)[0] : Predictions();
}

TEST(TextClassifierModel, DescribesItself) {
  const auto session = open_classifier(classifier_file("pruned.ftz"));
  ASSERT_TRUE(session) << describe(session.error());
  const auto info = io::parse_json(session->info());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->find("format")->string(), "fasttext");
  const Json& classifier = *info->find("textClassifier");
  EXPECT_EQ(classifier.find("labels")->items().size(), 11U);
  EXPECT_EQ(classifier.find("dim")->uint(), 6U);
  EXPECT_EQ(classifier.find("loss")->string(), "hs");
  EXPECT_EQ(classifier.find("wordNgrams")->uint(), 2U);
  EXPECT_EQ(classifier.find("minn")->uint(), 2U);
  EXPECT_EQ(classifier.find("maxn")->uint(), 4U);
  EXPECT_TRUE(classifier.find("quantized")->boolean());
  EXPECT_TRUE(classifier.find("pruned")->boolean());
  EXPECT_GT(session->weight_bytes(), 0U);
  EXPECT_LT(session->weight_bytes(), classifier_file("pruned.ftz").size());
}

TEST(TextClassifierModel, RefusesWordVectors) {
  const auto session = open_classifier(make_words());
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(session.error().path, "header.model");
}

// A source that can be read only once. The parser takes what lies behind the input on trust, so
// that the input need not be held, and the loader compares it.
TEST(TextClassifierModel, LoadsFromSequentialSources) {
  const File file = classifier_file("softmax.bin");
  const auto whole = open_classifier(file);
  ASSERT_TRUE(whole);
  io::PartialSource source(file.size(), /*sequential_only=*/true);
  ASSERT_TRUE(source.insert(0, file));
  const auto loader = TextClassifierModel::load(source, "{}");
  ASSERT_TRUE(loader) << describe(loader.error());
  ASSERT_TRUE(fill_sink(**loader, file));
  const auto session = testing::finish<TextClassifierModel>(**loader);
  ASSERT_TRUE(session);
  EXPECT_EQ(one(*session, "maus haus"), one(*whole, "maus haus"));
}

TEST(TextClassifierModel, ComparesTheOutputOfSequentialSources) {
  File file = classifier_file("softmax.bin");
  const uint64_t at = file.size() - 11 * 6 * sizeof(float) - 16;
  store_le(file.data() + at, uint64_t{12});
  io::PartialSource source(file.size(), /*sequential_only=*/true);
  ASSERT_TRUE(source.insert(0, file));
  const auto loader = TextClassifierModel::load(source, "{}");
  ASSERT_TRUE(loader) << describe(loader.error());
  const auto filled = fill_sink(**loader, file);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(filled.error().byte_offset, at);
  EXPECT_FALSE(open_classifier(file));
}

// Found by the fuzzer.
TEST(TextClassifierModel, ChecksTheFlagOfTheOutputOfSequentialSources) {
  File file = classifier_file("softmax.bin");
  const uint64_t at = file.size() - 11 * 6 * sizeof(float) - 17;
  file[at] = 7;
  io::PartialSource source(file.size(), /*sequential_only=*/true);
  ASSERT_TRUE(source.insert(0, file));
  const auto loader = TextClassifierModel::load(source, "{}");
  ASSERT_TRUE(loader) << describe(loader.error());
  const auto filled = fill_sink(**loader, file);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, ErrorCode::BadValue);
  EXPECT_EQ(filled.error().byte_offset, at);
  const auto whole = open_classifier(file);
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().byte_offset, at);
}

TEST(TextClassifierModel, RefusesNumbersThatAreNotFinite) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    File file = classifier_file("ova.bin");
    const uint64_t at = file.size() - 4 * sizeof(float);
    store_le(file.data() + at, bad);
    const auto session = open_classifier(file);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::BadValue);
    EXPECT_EQ(session.error().byte_offset, at);
    EXPECT_EQ(session.error().path, "output[62]");
  }
}

// All numbers are finite, but their sums are not.
TEST(TextClassifierModel, RefusesScoresThatAreNoNumbers) {
  for (const char* name : {"ova.bin", "softmax.bin", "hs.bin"}) {
    File file = classifier_file(name);
    const size_t output = file.size() - 11 * 6 * sizeof(float);
    const size_t input = output - 17 - 70 * 6 * sizeof(float);
    for (size_t at = input; at < output - 17; at += sizeof(float)) {
      store_le(file.data() + at, 3e38F);
    }
    for (size_t at = output; at < file.size(); at += sizeof(float)) {
      store_le(file.data() + at, (at - output) / 4 % 2 == 0 ? 3e38F : -3e38F);
    }
    const auto session = open_classifier(file);
    ASSERT_TRUE(session) << name;
    const auto predicted = predict(*session, {"", "haus maus haus maus"}, "{}");
    ASSERT_FALSE(predicted) << name;
    EXPECT_EQ(predicted.error().code, ErrorCode::BadValue);
    EXPECT_EQ(predicted.error().path.substr(0, 6), "texts[");
  }
}

TEST(TextClassifierModel, RefusesOptionsOutOfRange) {
  const auto session = open_classifier(classifier_file("hs.bin"));
  ASSERT_TRUE(session);
  for (const auto& [options, path] : std::vector<std::pair<const char*, const char*>>{
           {"{\"k\":0}", "options.k"},
           {"{\"k\":-1}", "options.k"},
           {"{\"k\":1.5}", "options.k"},
           {"{\"threshold\":-0.1}", "options.threshold"},
           {"{\"threshold\":1.1}", "options.threshold"},
           {"{\"threshold\":\"a\"}", "options.threshold"}}) {
    const auto job = PredictJob::begin(session->classifier(), options);
    ASSERT_FALSE(job) << options;
    EXPECT_EQ(job.error().code, ErrorCode::BadValue);
    EXPECT_EQ(job.error().path, path);
  }
}

TEST(TextClassifierModel, TakesLineFeedsForWhiteSpace) {
  const auto session = open_classifier(classifier_file("softmax.bin"));
  ASSERT_TRUE(session);
  EXPECT_EQ(one(*session, "maus\nhaus\n"), one(*session, "maus haus"));
  EXPECT_EQ(one(*session, std::string("maus\0haus", 9)), one(*session, "maus haus"));
  EXPECT_NE(one(*session, "maus haus"), one(*session, "haus"));
}

TEST(TextClassifierModel, EndsATextAtItsEnd) {
  const auto session = open_classifier(classifier_file("softmax.bin"));
  ASSERT_TRUE(session);
  EXPECT_EQ(one(*session, "maus </s> haus wort"), one(*session, "maus"));
}

TEST(TextClassifierModel, IgnoresLabelsInTexts) {
  const auto session = open_classifier(classifier_file("softmax.bin"));
  ASSERT_TRUE(session);
  EXPECT_EQ(one(*session, "__label__eins maus __label__unknown"), one(*session, "maus"));
}

TEST(TextClassifierModel, GivesAllLabelsForALargeK) {
  const auto session = open_classifier(classifier_file("softmax.bin"));
  ASSERT_TRUE(session);
  EXPECT_EQ(one(*session, "maus", "{\"k\":18446744073709551615}").size(), 11U);
  EXPECT_EQ(one(*session, "maus", "{}").size(), 5U);
  EXPECT_TRUE(one(*session, "maus", "{\"threshold\":1}").empty());
}

TEST(TextClassifierModel, GoesThroughManyTextsInSteps) {
  const auto session = open_classifier(classifier_file("hs.bin"));
  ASSERT_TRUE(session);
  auto job = PredictJob::begin(session->classifier(), "{}");
  ASSERT_TRUE(job);
  const std::string text(1000, 'a');
  for (int i = 0; i < 1000; ++i) job->add(text);
  size_t steps = 0;
  for (bool done = false; !done; ++steps) {
    const auto stepped = job->step();
    ASSERT_TRUE(stepped);
    done = *stepped;
  }
  EXPECT_GT(steps, 5U);
  EXPECT_EQ(job->done_texts(), 1000U);
  EXPECT_EQ(job->row_counts().size(), 1000U);
}

}  // namespace
}  // namespace ambry::api
