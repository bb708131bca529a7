#include "formats/finalfusion/vocabulary_chunk.h"
#include "formats/expect_format.h"

#include <gtest/gtest.h>

#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"

namespace ambry::formats::finalfusion {
namespace {

using io::Strictness;
using model::WordVocabularyKind;
using testing::expect_refused;
using testing::expect_tolerated;
using testing::FifuMaker;
using testing::File;
using testing::kChunkHead;
using testing::put_at;
using testing::read;
using testing::with_vocabulary;

// core/formats/finalfusion/README.md#field-order
TEST(Fifu, ReadsBucketsInTheOrderOfRealFiles) {
  FifuMaker maker = with_vocabulary(3);
  maker.buckets = 4;
  const auto result = read(maker.make());
  ASSERT_TRUE(result.clean());
  EXPECT_EQ(result.model->words->kind, WordVocabularyKind::Bucket);
  EXPECT_EQ(result.model->words->min_n, 3U);
  EXPECT_EQ(result.model->words->max_n, 6U);
  EXPECT_EQ(result.model->words->n_buckets, 16U);
  EXPECT_EQ(result.model->words->n_rows(), 19U);
}

TEST(Fifu, RefusesBucketsInTheOrderOfTheSpecification) {
  FifuMaker maker = with_vocabulary(3);
  File file = maker.make();
  const uint64_t at = maker.places.vocabulary + kChunkHead;
  put_at(file, at, uint32_t{3});
  put_at(file, at + 4, uint32_t{6});
  put_at(file, at + 8, uint32_t{2});
  put_at(file, at + 12, uint64_t{3});
  expect_refused(file, ErrorCode::Truncated, "vocabulary.n_words", at);
}

TEST(Fifu, ReadsFastTextBuckets) {
  FifuMaker maker = with_vocabulary(7);
  maker.buckets = 5;
  const auto result = read(maker.make());
  ASSERT_TRUE(result.clean());
  EXPECT_EQ(result.model->words->kind, WordVocabularyKind::FastText);
  EXPECT_EQ(result.model->words->n_buckets, 5U);
}

// core/formats/finalfusion/README.md#ngram-index
TEST(Fifu, ReadsExplicitNgramsWithTheirRows) {
  const auto result = read(with_vocabulary(8).make());
  ASSERT_TRUE(result.clean());
  const model::WordVocabulary& words = *result.model->words;
  EXPECT_EQ(words.kind, WordVocabularyKind::Explicit);
  ASSERT_EQ(words.ngrams.size(), 3U);
  EXPECT_EQ(words.ngrams[1], "Ber");
  EXPECT_EQ(words.ngram_rows, (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(words.n_buckets, 2U);
}

TEST(Fifu, RefusesExplicitNgramsWithoutIndices) {
  FifuMaker maker = with_vocabulary(8);
  File file = maker.make();
  // The published layout: the next n-gram's length stands where the index should.
  for (size_t i = maker.ngrams.size(); i-- > 0;) {
    const auto at = file.begin() + static_cast<std::ptrdiff_t>(maker.places.ngrams + 15 * i + 7);
    file.erase(at, at + 8);
  }
  const auto result = read(file, Strictness::Lenient);
  EXPECT_FALSE(result.model);
}

TEST(Fifu, ReadsFloret) {
  FifuMaker maker = with_vocabulary(9);
  maker.norms = false;
  maker.bow = "[";
  maker.eow = "\xE2\x8C\x88";
  const auto result = read(maker.make());
  ASSERT_TRUE(result.clean());
  const model::WordVocabulary& words = *result.model->words;
  EXPECT_EQ(words.kind, WordVocabularyKind::Floret);
  EXPECT_EQ(words.n_words, 0U);
  EXPECT_EQ(words.n_buckets, 2U);
  EXPECT_EQ(words.n_hashes, 2U);
  EXPECT_EQ(words.seed, 2166136261U);
  EXPECT_EQ(words.bow, "[");
  EXPECT_EQ(words.eow, "\xE2\x8C\x88");
  EXPECT_EQ(result.model->tensors[0].n_unit_rows, 0U);
}

TEST(Fifu, RefusesWordsPastTheEnd) {
  FifuMaker maker;
  const File good = maker.make();
  File file = good;
  put_at(file, maker.places.vocabulary + kChunkHead, uint64_t{1} << 62);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.n_words",
                 maker.places.vocabulary + kChunkHead);
  file = good;
  put_at(file, maker.places.words + 10, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.words[1].length", maker.places.words + 10);
  maker = with_vocabulary(8);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kChunkHead + 8, uint64_t{1} << 32);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.n_ngrams",
                 maker.places.vocabulary + kChunkHead + 8);
  file = maker.make();
  put_at(file, maker.places.ngrams + 15, uint32_t{1} << 30);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.ngrams[1].length",
                 maker.places.ngrams + 15);
}

TEST(Fifu, RefusesWordsThatAreNotUtf8) {
  FifuMaker maker = with_vocabulary(8);
  File file = maker.make();
  file[maker.places.words + 4 + 2] = 0xC0;
  expect_refused(file, ErrorCode::BadValue, "vocabulary.words[0].text", maker.places.words + 4 + 2);
  file = maker.make();
  file[maker.places.ngrams + 15 + 4] = 0x80;
  expect_refused(file, ErrorCode::BadValue, "vocabulary.ngrams[1].text",
                 maker.places.ngrams + 15 + 4);
  // Half of a character at the end of a word does not join the next one.
  maker = FifuMaker();
  maker.words = {"a\xC3", "\xA4"};
  file = maker.make();
  expect_refused(file, ErrorCode::BadValue, "vocabulary.words[0].text", maker.places.words + 5);
}

TEST(Fifu, RefusesNgramLengthsThatMakeNoSense) {
  for (const uint32_t id : {3U, 7U, 8U, 9U}) {
    for (const auto& [min_n, max_n] : {std::pair(0U, 6U), std::pair(4U, 3U)}) {
      FifuMaker maker = with_vocabulary(id);
      maker.norms = false;
      maker.min_n = min_n;
      maker.max_n = max_n;
      const uint64_t before = id == 9 ? 0 : id == 8 ? 16 : 8;
      const File file = maker.make();
      expect_refused(file, ErrorCode::BadValue, "vocabulary.min_n",
                     maker.places.vocabulary + kChunkHead + before);
    }
  }
}

TEST(Fifu, RefusesNoBucketsOrTooMany) {
  FifuMaker maker = with_vocabulary(7);
  File file = maker.make();
  put_at(file, maker.places.vocabulary + kChunkHead + 16, uint32_t{0});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.buckets",
                 maker.places.vocabulary + kChunkHead + 16);
  maker = with_vocabulary(3);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kChunkHead + 16, uint32_t{64});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.bucket_exponent",
                 maker.places.vocabulary + kChunkHead + 16);
  maker = with_vocabulary(9);
  maker.norms = false;
  file = maker.make();
  put_at(file, maker.places.vocabulary + kChunkHead + 8, uint64_t{0});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.n_buckets",
                 maker.places.vocabulary + kChunkHead + 8);
}

// Rust reads it, Python refuses it.
TEST(Fifu, ToleratesOneBucket) {
  FifuMaker maker = with_vocabulary(3);
  maker.buckets = 0;
  const File file = maker.make();
  expect_tolerated(file, "vocabulary.bucket_exponent", maker.places.vocabulary + kChunkHead + 16);
}

TEST(Fifu, RefusesFloretWithoutOrWithTooManyHashes) {
  for (const uint32_t n_hashes : {0U, 5U}) {
    FifuMaker maker = with_vocabulary(9);
    maker.norms = false;
    maker.n_hashes = n_hashes;
    const File file = maker.make();
    expect_refused(file, ErrorCode::BadValue, "vocabulary.n_hashes",
                   maker.places.vocabulary + kChunkHead + 16);
  }
}

TEST(Fifu, RefusesFloretBracketsThatAreNotUtf8OrPassTheEnd) {
  FifuMaker maker = with_vocabulary(9);
  maker.norms = false;
  File file = maker.make();
  file[maker.places.vocabulary + kChunkHead + 28] = 0xFF;
  expect_refused(file, ErrorCode::BadValue, "vocabulary.bow",
                 maker.places.vocabulary + kChunkHead + 28);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kChunkHead + 29, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.eow",
                 maker.places.vocabulary + kChunkHead + 33);
}

// The programs that read these files do not look at lengths; R and P differ in what they write.
TEST(Fifu, ToleratesAStatedLengthThatIsNotTheContents) {
  for (const uint64_t length : {0U, 1U, 40U}) {
    FifuMaker maker;
    File file = maker.make();
    put_at(file, maker.places.vocabulary + 4, length);
    expect_tolerated(file, "vocabulary.len", maker.places.vocabulary + 4);
    file = maker.make();
    put_at(file, maker.places.storage + 4, length);
    expect_tolerated(file, "storage.len", maker.places.storage + 4);
    file = maker.make();
    put_at(file, maker.places.norms + 4, length / 2);
    expect_tolerated(file, "norms.len", maker.places.norms + 4);
  }
}

TEST(Fifu, RefusesAStatedLengthPastTheEnd) {
  FifuMaker maker;
  const File good = maker.make();
  for (const uint64_t at : {maker.places.vocabulary, maker.places.storage, maker.places.norms}) {
    for (const uint64_t length : {uint64_t{good.size()}, UINT64_MAX}) {
      File file = good;
      put_at(file, at + 4, length);
      const std::string chunk = at == maker.places.vocabulary ? "vocabulary"
                                : at == maker.places.storage  ? "storage"
                                                              : "norms";
      expect_refused(file, ErrorCode::Truncated, chunk + ".len", at + 4);
    }
  }
}

// Python states the length of chunk 8 without the indices.
TEST(Fifu, ToleratesTheLengthThatPythonStatesForNgrams) {
  FifuMaker maker = with_vocabulary(8);
  File file = maker.make();
  const uint64_t at = maker.places.vocabulary + 4;
  put_at(file, at, load_le<uint64_t>(file.data() + at) - 8 * maker.ngrams.size());
  expect_tolerated(file, "vocabulary.len", at);
  const auto result = read(file, Strictness::Lenient);
  EXPECT_NE(result.found.warnings[0].message.find("Python"), std::string::npos);
}

TEST(Fifu, ToleratesNgramIndicesInAnotherOrder) {
  FifuMaker maker = with_vocabulary(8);
  maker.ngrams = {{"<Be", 1}, {"Ber", 0}, {"a b", 1}};
  const File file = maker.make();
  expect_tolerated(file, "vocabulary.ngrams[0].index", maker.places.ngrams + 7);
  EXPECT_EQ(read(file, Strictness::Lenient).model->words->ngram_rows,
            (std::vector<uint32_t>{1, 0, 1}));
}

TEST(Fifu, RejectsGapsInNgramIndices) {
  FifuMaker maker = with_vocabulary(8);
  maker.ngrams = {{"<Be", 0}, {"Ber", 2}, {"a b", 0}};
  const auto result = read(maker.make(), Strictness::Lenient);
  ASSERT_TRUE(result.model);
  ASSERT_FALSE(result.found.errors.empty());
  EXPECT_EQ(result.found.errors[0].path, "vocabulary.n_ngrams");
  EXPECT_EQ(result.found.errors[0].byte_offset, maker.places.vocabulary + kChunkHead + 8);
}

TEST(Fifu, RefusesNgramIndicesPastTheNgrams) {
  for (const uint64_t index : {uint64_t{3}, uint64_t{1} << 32, UINT64_MAX}) {
    FifuMaker maker = with_vocabulary(8);
    File file = maker.make();
    put_at(file, maker.places.ngrams + 15 + 7, index);
    expect_refused(file, ErrorCode::BadValue, "vocabulary.ngrams[1].index",
                   maker.places.ngrams + 15 + 7);
  }
}

}  // namespace
}  // namespace ambry::formats::finalfusion
