// Checks that range mode gives the same results as an opened whole file, with all real files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "api/words/open_words.h"
#include "data_files.h"
#include "formats/finalfusion/make_fifu.h"
#include "tensor/word_norm.h"

namespace ambry::api {
namespace {

using ambry::testing::data_file;
using formats::finalfusion::testing::FifuMaker;
using formats::finalfusion::testing::with_vocabulary;
using io::Json;
using testing::expect_error;
using testing::File;
using testing::open_words;
using testing::ranking;

// A file on a server that supports ranges.
class Remote {
 public:
  explicit Remote(const File& file) : file_(file) {}

  Result<WordsModel> open() {
    io::PartialSource source(file_.size());
    for (;;) {
      auto loader = WordsModel::load(source, R"({"ranged":true})");
      if (loader) return testing::finish<WordsModel>(**loader);
      if (loader.error().code != ErrorCode::NeedBytes) return loader.take_error();
      const auto [offset, size] = std::pair(loader.error().byte_offset, loader.error().need_size);
      EXPECT_TRUE(source.insert(offset, get(offset, size)));
    }
  }

  void fetch(const WordsModel& session, const Result<std::string>& missing) {
    ASSERT_TRUE(missing) << describe(missing.error());
    const auto ranges = io::parse_json(*missing);
    for (const Json& range : ranges->items()) {
      const uint64_t offset = range.items()[0].uint();
      EXPECT_TRUE(session.supply(offset, get(offset, range.items()[1].uint())));
    }
  }

  Bytes get(uint64_t offset, uint64_t size) {
    ++n_requests;
    n_bytes += size;
    return Bytes(file_).subspan(offset, size);
  }

  size_t n_requests = 0;
  uint64_t n_bytes = 0;

 private:
  const File& file_;
};

File many_words() {
  FifuMaker maker = with_vocabulary(7);
  maker.buckets = 50;
  maker.dims = 300;
  maker.words.clear();
  for (int i = 0; i < 3000; ++i) maker.words.push_back("word" + std::to_string(i));
  return maker.make();
}

TEST(WordsInRangeMode, FetchOnlyTheRequestedRows) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  ASSERT_TRUE(session) << describe(session.error());
  const uint64_t row_bytes = 300 * sizeof(float);
  EXPECT_LT(remote.n_bytes, file.size() - 3050 * row_bytes + 4096);
  remote.n_requests = 0;
  remote.n_bytes = 0;
  // Words 0, 30, 60 and so on are too far apart to be read together.
  Json words = Json::array();
  for (int i = 0; i < 100; ++i) words.append("word" + std::to_string(30 * i));
  remote.fetch(*session, session->missing(words.dump()));
  EXPECT_EQ(remote.n_requests, 100U);
  EXPECT_EQ(remote.n_bytes, 100 * row_bytes);
  const auto whole = open_words(file);
  const auto expected = whole->vectors(words.dump(), true);
  const auto found = session->vectors(words.dump(), true);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_TRUE(std::ranges::equal(found->rows(), expected->rows()));
  EXPECT_EQ(found->norms, expected->norms);
  // Again, from the cache.
  EXPECT_EQ(*session->missing(words.dump()), "[]");
}

TEST(WordsInRangeMode, JoinNeighbours) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  remote.n_requests = 0;
  // A row has 1,200 bytes, so there are 3,600 between words 1 and 5.
  remote.fetch(*session, session->missing(R"(["word5", "word1", "word10", "word2"])"));
  EXPECT_EQ(remote.n_requests, 2U);
}

TEST(WordsInRangeMode, AskForMissingRows) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  const auto known = session->vectors(R"(["word7"])", false);
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code, ErrorCode::NeedBytes);
  EXPECT_EQ(known.error().need_size, 1200U);
  EXPECT_EQ(session->explain("unknown").error().code, ErrorCode::NeedBytes);
  remote.fetch(*session, session->missing(R"(["unknown"])"));
  EXPECT_TRUE(session->explain("unknown"));
}

TEST(WordsInRangeMode, RejectQueriesOverDenseVectors) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  remote.fetch(*session, session->missing(R"(["word1"])"));
  expect_error(session->similar("word1", "{}").error(), ErrorCode::Unsupported, "rows");
  expect_error(session->begin_codes().error(), ErrorCode::Unsupported, "rows");
}

TEST(WordsInRangeMode, RejectBytesThatAreNotRows) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  const std::vector<uint8_t> bytes(8);
  expect_error(session->supply(0, bytes).error(), ErrorCode::BadValue, "offset");
  expect_error(session->supply(UINT64_MAX, bytes).error(), ErrorCode::BadValue, "offset");
  expect_error(session->supply(file.size() - 4, bytes).error(), ErrorCode::BadValue, "offset");
}

TEST(WordsInRangeMode, RejectACodeWithoutACentroid) {
  FifuMaker maker;
  maker.quantized = true;
  File file = maker.make();
  file[maker.places.norms - 1] = 3;
  Remote remote(file);
  const auto session = remote.open();
  ASSERT_TRUE(session) << describe(session.error());
  const auto codes = session->begin_codes();
  ASSERT_TRUE(codes);
  expect_error(testing::stream(**codes, file).error(), ErrorCode::BadValue, "quantized.codes");
  const auto supplied =
      session->supply(maker.places.norms - 2, remote.get(maker.places.norms - 2, 2));
  expect_error(supplied.error(), ErrorCode::BadValue, "quantized.codes");
}

TEST(WordsInRangeMode, FetchTheRowsOfSentencesStepByStep) {
  const File file = many_words();
  Remote remote(file);
  const auto session = remote.open();
  const auto whole = open_words(file);
  auto here = SentenceJob::begin(whole->shared_vectors(), "{}");
  auto there = SentenceJob::begin(session->shared_vectors(), "{}");
  for (int i = 0; i < 70; ++i) {
    const std::string text = "word" + std::to_string(40 * i) + " and something";
    here->add(text);
    there->add(text);
  }
  ASSERT_TRUE(here->start());
  ASSERT_TRUE(there->start());
  while (!*here->step()) {
  }
  for (bool done = false; !done;) {
    remote.fetch(*session, there->missing());
    const auto step = there->step();
    ASSERT_TRUE(step) << describe(step.error());
    done = *step;
  }
  EXPECT_TRUE(std::ranges::equal(here->result(), there->result()));
}

// Every file of both references.
class EveryWordsFile : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("finalfusion");
    auto file = data_file(std::string("finalfusion/") + GetParam());
    ASSERT_TRUE(file) << GetParam();
    file_ = std::move(*file);
  }

  // Some known and some unknown words.
  static std::string some_words(const WordsModel& session) {
    auto words = io::parse_json(session.list(0, 300));
    Json all = *words;
    for (const char* word : {"Unbekanntes", "tübingen", "über", "", "x", "日本"}) all.append(word);
    return all.dump();
  }

  File file_;
};

TEST_P(EveryWordsFile, GivesTheSameInRangeMode) {
  const auto whole = open_words(file_, 777);
  ASSERT_TRUE(whole) << describe(whole.error());
  Remote remote(file_);
  const auto ranged = remote.open();
  ASSERT_TRUE(ranged) << describe(ranged.error());
  const std::string words = some_words(*whole);
  remote.fetch(*ranged, ranged->missing(words));
  for (const bool unnormalized : {false, true}) {
    const auto expected = whole->vectors(words, unnormalized);
    const auto found = ranged->vectors(words, unnormalized);
    ASSERT_TRUE(expected) << describe(expected.error());
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_TRUE(std::ranges::equal(found->rows(), expected->rows()));
    EXPECT_EQ(found->norms, expected->norms);
    EXPECT_EQ(found->found, expected->found);
  }
}

// Scores of words are dot products with their vectors, whatever the storage is.
TEST_P(EveryWordsFile, RanksWordsByTheirVectors) {
  const auto session = open_words(file_);
  ASSERT_TRUE(session);
  const auto words = io::parse_json(session->list(0, UINT64_MAX));
  if (words->items().empty()) GTEST_SKIP() << "floret lists no words";
  const std::string query = words->items().back().string();
  const auto hits = ranking(session->similar(query, R"({"k": 1000})"));
  EXPECT_EQ(hits.size(), words->items().size() - 1);
  const auto vector = testing::vector_of(*session, query);
  for (size_t i = 0; i < hits.size(); ++i) {
    const auto row = testing::vector_of(*session, hits[i].first);
    const float expected = tensor::word_dot(row, vector);
    EXPECT_NEAR(hits[i].second, expected, 1e-6 * std::max(1.0F, std::abs(expected)));
    EXPECT_GE(hits[i == 0 ? 0 : i - 1].second, hits[i].second);
  }
}

TEST_P(EveryWordsFile, AnswersQueriesFromItsCodesInRangeMode) {
  Remote remote(file_);
  const auto ranged = remote.open();
  ASSERT_TRUE(ranged);
  auto codes = ranged->begin_codes();
  if (!codes) {
    EXPECT_EQ(codes.error().code, ErrorCode::Unsupported);
    return;
  }
  ASSERT_TRUE(testing::stream(**codes, file_, 100));
  const auto whole = open_words(file_);
  const auto first = io::parse_json(whole->list(0, 1));
  const std::string query = first->items()[0].string();
  EXPECT_EQ(*ranged->similar(query, "{}"), *whole->similar(query, "{}"));
  // Nothing is left to fetch.
  EXPECT_EQ((*ranged->begin_codes())->wanted(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Files, EveryWordsFile,
    ::testing::Values("rust/similarity.fifu", "rust/quantized.fifu", "python/embeddings.fifu",
                      "python/ff_buckets.fifu", "python/simple_vocab.fifu",
                      "python/similarity.fifu", "python/pq-check.fifu", "python/pq.fifu",
                      "generated/analogy_w2v_normalized.fifu",
                      "generated/constructed_floret_small.fifu", "generated/fasttext.fifu",
                      "generated/fasttext_explicit.fifu", "generated/ff_buckets_explicit.fifu",
                      "generated/pad0.fifu", "generated/pad1.fifu", "generated/pad2.fifu",
                      "generated/pad3.fifu", "generated/pq_norms.fifu", "generated/pq_plain.fifu",
                      "generated/pq_proj.fifu", "generated/pq_proj_norms.fifu",
                      "generated/similarity_w2v_normalized.fifu"),
    [](const auto& row) {
      std::string name = row.param;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
      return name;
    });

}  // namespace
}  // namespace ambry::api
