// A session of word vectors: its description of a file and of words, and invalid queries.
#include "api/words/words_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "api/words/open_words.h"
#include "formats/finalfusion/make_fifu.h"

namespace ambry::api {
namespace {

using formats::finalfusion::testing::FifuMaker;
using formats::finalfusion::testing::with_vocabulary;
using formats::testing::put_at;
using io::Json;
using testing::expect_error;
using testing::File;
using testing::open_words;
using testing::ranking;
using testing::vector_of;
using testing::words_of;

using Words = std::vector<std::string>;

WordsModel open(FifuMaker maker) {
  auto session = open_words(maker.make());
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(*session);
}

Json parsed(const Result<std::string>& text) {
  EXPECT_TRUE(text) << describe(text.error());
  auto json = io::parse_json(*text);
  EXPECT_TRUE(json);
  return std::move(*json);
}

TEST(WordsModel, DescribesItself) {
  const Json info = parsed(open(with_vocabulary(7)).info());
  EXPECT_EQ(info.find("format")->string(), "finalfusion");
  EXPECT_EQ(info.find("tokenizer")->find("size")->uint(), 3U);
  const Json& words = *info.find("words");
  EXPECT_EQ(words.find("kind")->string(), "fasttext");
  EXPECT_EQ(words.find("storage")->string(), "array");
  EXPECT_EQ(words.find("size")->uint(), 3U);
  EXPECT_EQ(words.find("rows")->uint(), 5U);
  EXPECT_EQ(words.find("dim")->uint(), 16U);
  EXPECT_TRUE(words.find("hasNorms")->boolean());
  EXPECT_FALSE(words.find("ranged")->boolean());
}

TEST(WordsModel, ListsWordsByRow) {
  const WordsModel session = open({});
  EXPECT_EQ(session.list(0, 2), "[\"Berlin\",\"Straße\"]");
  EXPECT_EQ(session.list(2, UINT64_MAX), "[\"a b\"]");
  EXPECT_EQ(session.list(3, 1), "[]");
  EXPECT_EQ(session.list(UINT64_MAX, 1), "[]");
}

TEST(WordsModel, UsesTheFilesNormsOrOne) {
  FifuMaker maker;
  const auto stored = open(maker).vectors(R"(["a b"])", true);
  EXPECT_EQ(stored->norms, std::vector{4.0F});
  EXPECT_EQ(stored->rows()[2], 4.0F);
  maker.norms = false;
  const auto none = open(maker).vectors(R"(["a b"])", true);
  EXPECT_EQ(none->norms, std::vector{1.0F});
  EXPECT_EQ(none->rows()[2], 1.0F);
}

TEST(WordsModel, ExplainsAKnownWord) {
  const Json found = parsed(open({}).explain("Straße"));
  EXPECT_EQ(found.dump(),
            R"({"word":"Straße","found":"known","row":1,"norm":3.0,"reason":null,"ngrams":[]})");
}

TEST(WordsModel, ExplainsWhyAWordIsUnknown) {
  EXPECT_EQ(
      parsed(open({}).explain("x")).find("reason")->string(),
      "the word is not among the 3 words, and this file has no n-grams to build a vector from");
  FifuMaker maker = with_vocabulary(3);
  maker.min_n = 4;
  const Json shorter = parsed(open(maker).explain("x"));
  EXPECT_EQ(shorter.find("found")->string(), "none");
  EXPECT_EQ(shorter.find("reason")->string(),
            "with its brackets the word has 3 characters, but the shortest n-grams have 4");
  const Json none = parsed(open(with_vocabulary(8)).explain("xyz"));
  EXPECT_EQ(none.find("reason")->string(), "none of the word's 6 n-grams is stored");
  EXPECT_FALSE(none.find("ngrams")->items()[0].find("known")->boolean());
}

// "<Be" and "Ber" of "<Berg>" are stored; their rows are unit vectors 3 and 4.
TEST(WordsModel, AddsExplicitNgrams) {
  const WordsModel session = open(with_vocabulary(8));
  const auto vector = vector_of(session, "Berg");
  const float each = 1.0F / std::sqrt(2.0F);
  for (size_t i = 0; i < vector.size(); ++i) {
    EXPECT_FLOAT_EQ(vector[i], i == 3 || i == 4 ? each : 0.0F) << i;
  }
  const Json found = parsed(session.explain("Berg"));
  EXPECT_EQ(found.find("found")->string(), "subwords");
  EXPECT_TRUE(found.find("row")->is_null());
  EXPECT_NEAR(found.find("norm")->number(), std::sqrt(2.0), 1e-6);
}

TEST(WordsModel, FindsWordsInEveryKindOfVocabulary) {
  for (const uint32_t id : {1U, 3U, 7U, 8U}) {
    const auto batch = open(with_vocabulary(id)).vectors(R"(["Berlin", "Berg", ""])", false);
    ASSERT_TRUE(batch) << id;
    const auto by_ngrams = static_cast<uint8_t>(id == 1 ? 0 : 2);
    EXPECT_EQ(batch->found, (std::vector<uint8_t>{1, by_ngrams, 0})) << id;
  }
  FifuMaker floret = with_vocabulary(9);
  floret.norms = false;
  floret.buckets = 9;
  EXPECT_EQ(open(floret).vectors(R"(["Berlin", ""])", false)->found, (std::vector<uint8_t>{2, 2}));
}

TEST(WordsModel, FindsAnEmptyWordOfTheVocabulary) {
  FifuMaker maker;
  maker.words = {"a", ""};
  const WordsModel session = open(maker);
  EXPECT_EQ(session.vectors(R"([""])", false)->found, std::vector<uint8_t>{1});
  EXPECT_EQ(words_of(ranking(session.similar("", "{}"))), Words{"a"});
}

TEST(WordsModel, LeavesOutExcludedWords) {
  const WordsModel session = open({});
  EXPECT_EQ(words_of(ranking(session.similar("Berlin", "{}"))), (Words{"Straße", "a b"}));
  EXPECT_EQ(words_of(ranking(session.similar("Berlin", R"({"exclude": ["Straße", "other"]})"))),
            Words{"a b"});
  EXPECT_EQ(words_of(ranking(session.similar("Berlin", R"({"k": 1})"))), Words{"Straße"});
  EXPECT_TRUE(ranking(session.similar("Berlin", R"({"k": 0})")).empty());
}

TEST(WordsModel, AngularScoresGiveTheSameOrder) {
  const WordsModel session = open({});
  const auto hits = ranking(session.similar("Berlin", R"({"metric": "angular"})"));
  EXPECT_EQ(words_of(hits), (Words{"Straße", "a b"}));
  EXPECT_EQ(hits[0].second, 0.5);
}

TEST(WordsModel, NormalizesAVectorFirst) {
  std::vector<float> query(16);
  query[1] = 25.0F;
  const auto hits = ranking(open({}).similar_to(query, R"({"k": 1})"));
  EXPECT_EQ(hits, (testing::Ranking{{"Straße", 1.0}}));
}

TEST(WordsModel, RejectsInvalidOptions) {
  const WordsModel session = open({});
  const struct {
    const char* options;
    const char* path;
  } kBad[] = {{R"({"k": -1})", "options.k"},
              {R"({"k": "3"})", "options.k"},
              {R"({"metric": "dot"})", "options.metric"},
              {R"({"metric": 1})", "options.metric"},
              {R"({"exclude": "a"})", "options.exclude"},
              {R"({"exclude": [1]})", "options.exclude"},
              {R"({"include": ["d"]})", "options.include"}};
  for (const auto& [options, path] : kBad) {
    const auto answer = session.similar("Berlin", options);
    ASSERT_FALSE(answer) << options;
    expect_error(answer.error(), ErrorCode::BadValue, path);
  }
  EXPECT_FALSE(session.similar("Berlin", "{"));
}

TEST(WordsModel, RejectsInvalidWords) {
  const WordsModel session = open(with_vocabulary(3));
  expect_error(session.similar("x\xFF", "{}").error(), ErrorCode::BadValue, "word");
  expect_error(session.vectors("{}", false).error(), ErrorCode::BadValue, "words");
  expect_error(session.vectors("[\"a\", 1]", false).error(), ErrorCode::BadValue, "words[1]");
  expect_error(open({}).similar("x", "{}").error(), ErrorCode::NotFound, "word");
}

TEST(WordsModel, RejectsAWordWithTooManyNgrams) {
  FifuMaker maker = with_vocabulary(3);
  maker.max_n = UINT32_MAX;
  const std::string longest(600, 'x');
  expect_error(open(maker).explain(longest).error(), ErrorCode::LimitExceeded, "word");
}

TEST(WordsModel, RejectsQueriesOverFloret) {
  FifuMaker maker = with_vocabulary(9);
  maker.norms = false;
  maker.buckets = 9;
  expect_error(open(maker).similar("Berlin", "{}").error(), ErrorCode::Unsupported, "vocabulary");
}

// Deviations that lenient reading accepts: the header's list, other flags, raw rows, bytes after
// the end.
TEST(WordsModel, OpensUntidyFiles) {
  FifuMaker maker;
  maker.header = std::vector<uint32_t>{1, 2};
  File file = maker.make();
  file.push_back(0);
  EXPECT_TRUE(open_words(file));
  FifuMaker quantized;
  quantized.quantized = true;
  quantized.projection = true;
  File flagged = quantized.make();
  put_at(flagged, quantized.places.storage + 12, uint32_t{7});
  EXPECT_TRUE(open_words(flagged));
}

struct BadFile {
  const char* fault;
  ErrorCode code;
  const char* path;
  void (*spoil)(File& file, const FifuMaker& maker);
  bool quantized = false;
};

TEST(WordsModel, RejectsInconsistentFiles) {
  const BadFile kBad[] = {
      {"magic", ErrorCode::BadMagic, "file", [](File& f, const FifuMaker&) { f[0] = 'f'; }},
      {"version", ErrorCode::UnsupportedVersion, "header.version",
       [](File& f, const FifuMaker&) { f[4] = 1; }},
      {"chunk id", ErrorCode::BadValue, "header.chunk_ids[0]",
       [](File& f, const FifuMaker&) { f[12] = 77; }},
      {"type", ErrorCode::BadValue, "storage.type",
       [](File& f, const FifuMaker& m) { put_at(f, m.places.storage + 24, uint32_t{11}); }},
      {"end", ErrorCode::Truncated, "storage",
       [](File& f, const FifuMaker& m) { f.resize(m.places.norms - 1); }},
      {"UTF-8", ErrorCode::BadValue, "vocabulary.words[0].text",
       [](File& f, const FifuMaker& m) { f[m.places.words + 4] = 0xFF; }},
      {"rows", ErrorCode::Mismatch, "storage.rows",
       [](File& f, const FifuMaker& m) { put_at(f, m.places.storage + 12, uint64_t{2}); }},
      {"norms", ErrorCode::Mismatch, "norms.n",
       [](File& f, const FifuMaker& m) { put_at(f, m.places.norms + 12, uint64_t{2}); }},
      {"code", ErrorCode::BadValue, "quantized.codes",
       [](File& f, const FifuMaker& m) { f[m.places.norms - 1] = 3; }, true},
  };
  for (const BadFile& bad : kBad) {
    SCOPED_TRACE(bad.fault);
    FifuMaker maker;
    maker.quantized = bad.quantized;
    File file = maker.make();
    ASSERT_TRUE(open_words(file));
    bad.spoil(file, maker);
    const auto session = open_words(file);
    ASSERT_FALSE(session);
    expect_error(session.error(), bad.code, bad.path);
  }
}

TEST(WordsModel, RejectsARepeatedWord) {
  FifuMaker maker;
  maker.words = {"a", "b", "a"};
  const auto session = open_words(maker.make());
  ASSERT_FALSE(session);
  expect_error(session.error(), ErrorCode::BadValue, "vocabulary.words[2]");
}

TEST(WordsModel, RejectsAQueryForAWordWithoutAVector) {
  FifuMaker maker;
  File file = maker.make();
  put_at(file, maker.places.storage_data, std::numeric_limits<float>::quiet_NaN());
  const auto session = open_words(file);
  ASSERT_TRUE(session);
  expect_error(session->similar("Berlin", "{}").error(), ErrorCode::BadValue, "query");
  EXPECT_EQ(words_of(ranking(session->similar("a b", "{}"))), Words{"Straße"});
}

TEST(AccuracyJob, ReportsInSteps) {
  const WordsModel session = open({});
  AccuracyJob job(session.shared_vectors());
  // The first answer is not a word. The second is excluded, because it is part of the question.
  ASSERT_TRUE(job.add_questions(": s\nBerlin Straße Berlin a\nBerlin Straße Berlin Straße\n"));
  EXPECT_EQ(job.total(), 2U);
  const auto done = job.step();
  ASSERT_TRUE(done);
  EXPECT_TRUE(*done);
  EXPECT_EQ(job.done(), 2U);
  const std::string counts = R"("correct":0,"count":1,"skipped":1,"averageCosine":0.0})";
  EXPECT_EQ(job.report(),
            R"({"sections":[{"name":"s",)" + counts + R"(],"total":{"name":"",)" + counts + "}");
  expect_error(AccuracyJob(session.shared_vectors()).add_questions("a b c").error(),
               ErrorCode::BadValue, "questions[0]");
}

TEST(AccuracyJob, WithoutQuestionsHasNoAverage) {
  AccuracyJob job(open({}).shared_vectors());
  ASSERT_TRUE(job.add_questions(""));
  EXPECT_TRUE(*job.step());
  const Json total = *parsed(job.report()).find("total");
  EXPECT_EQ(total.find("count")->uint(), 0U);
  EXPECT_TRUE(total.find("averageCosine")->is_null());
}

TEST(SentenceJob, EmbedsTextsInTheirOrder) {
  const WordsModel session = open({});
  auto job =
      SentenceJob::begin(session.shared_vectors(), R"({"pooling": "mean", "normalize": true})");
  ASSERT_TRUE(job) << describe(job.error());
  for (int i = 0; i < 100; ++i) job->add(i % 2 == 0 ? "Berlin" : "nichts");
  ASSERT_TRUE(job->start());
  size_t n_steps = 0;
  for (bool done = false; !done; ++n_steps) done = *job->step();
  EXPECT_EQ(n_steps, 2U);
  EXPECT_EQ(job->done_texts(), 100U);
  EXPECT_EQ(job->dim(), 16U);
  ASSERT_EQ(job->result().size(), 1600U);
  EXPECT_EQ(job->result()[0], 1.0F);
  EXPECT_EQ(job->result()[16], 0.0F);
  EXPECT_EQ(job->result()[32], 1.0F);
  EXPECT_EQ(job->row_counts().size(), 100U);
}

TEST(SentenceJob, RejectsOptionsOfEncoders) {
  const WordsModel session = open({});
  expect_error(SentenceJob::begin(session.shared_vectors(), R"({"pooling": "cls"})").error(),
               ErrorCode::BadValue, "options.pooling");
  expect_error(SentenceJob::begin(session.shared_vectors(), R"({"prompt": "query"})").error(),
               ErrorCode::BadValue, "options.prompt");
  expect_error(SentenceJob::begin(session.shared_vectors(), R"({"instruction": "find"})").error(),
               ErrorCode::BadValue, "options.instruction");
  EXPECT_TRUE(
      SentenceJob::begin(session.shared_vectors(), R"({"pooling": "sif", "prompt": null})"));
}

}  // namespace
}  // namespace ambry::api
