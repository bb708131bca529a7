#include "formats/finalfusion/parse.h"

#include <gtest/gtest.h>

#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"
#include "formats/sparse_source.h"
#include "io/limits.h"

namespace ambry::formats::finalfusion {
namespace {

using io::Strictness;
using model::WordVocabularyKind;
using testing::expect_refused;
using testing::expect_tolerated;
using testing::FifuMaker;
using testing::File;
using testing::put_at;
using testing::read;
using testing::with_vocabulary;

constexpr uint64_t kHead = 12;  // of a chunk

TEST(Fifu, ReadsWordsVectorsNormsAndMetadata) {
  FifuMaker maker;
  maker.metadata = "# note\n[common]\ndims = 16\n";
  const auto result = read(maker.make());
  ASSERT_TRUE(result.clean());
  const model::Model& model = *result.model;
  EXPECT_EQ(model.format, "finalfusion");
  EXPECT_EQ(model.version, "0");
  EXPECT_EQ(model.metadata_text, *maker.metadata);
  EXPECT_EQ(model.metadata.dump(), R"({"common":{"dims":16}})");
  EXPECT_EQ(model.words->kind, WordVocabularyKind::Simple);
  EXPECT_EQ(model.words->words.size(), 3U);
  EXPECT_EQ(model.words->words[1],
            "Stra\xC3\x9F"
            "e");
  EXPECT_EQ(model.config.dump(), R"({"storage":"ndarray","rows":3,"dims":16,"norms":true,)"
                                 R"("vocabulary":{"kind":"simple","n_words":3}})");
  ASSERT_EQ(model.tensors.size(), 2U);
  EXPECT_EQ(model.tensors[0].name, "storage");
  EXPECT_EQ(model.tensors[0].shape, (tensor::Shape{3, 16}));
  EXPECT_EQ(model.tensors[0].offset, maker.places.storage_data);
  EXPECT_EQ(model.tensors[0].n_unit_rows, 3U);
  EXPECT_EQ(model.tensors[1].name, "norms");
  EXPECT_EQ(model.tensors[1].shape, (tensor::Shape{3}));
}

TEST(Fifu, MapsTheWholeFile) {
  FifuMaker maker = with_vocabulary(8);
  maker.metadata = "a = 1\n";
  const File file = maker.make();
  const auto result = read(file);
  std::string names;
  uint64_t bytes = 0;
  for (const model::Region& region : result.model->regions) {
    names += region.name + " ";
    bytes += region.bytes;
  }
  EXPECT_EQ(names, "header metadata vocabulary vocabulary.words vocabulary.ngrams storage norms ");
  for (const model::TensorEntry& tensor : result.model->tensors) bytes += tensor.bytes;
  EXPECT_EQ(bytes, file.size());
}

// 0.1: the number of words comes first, not after the three small numbers of the published page.
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

TEST(Fifu, RefusesBucketsInTheOrderOfThePublishedPage) {
  FifuMaker maker = with_vocabulary(3);
  File file = maker.make();
  const uint64_t at = maker.places.vocabulary + kHead;
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

// 0.2: each n-gram has an index.
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

// 0.4: codes of one byte, and centroids as [quantized_len, n_centroids, rest].
TEST(Fifu, ReadsQuantizedStorageWithAndWithoutItsOptionalParts) {
  for (const int parts : {0, 1, 2, 3}) {
    FifuMaker maker;
    maker.quantized = true;
    maker.projection = (parts & 1) != 0;
    maker.quantized_norms = (parts & 2) != 0;
    const File file = maker.make();
    const auto result = read(file);
    ASSERT_TRUE(result.clean()) << parts;
    const auto& tensors = result.model->tensors;
    ASSERT_EQ(tensors.size(), 3U + maker.projection + maker.quantized_norms);
    const size_t centroids = maker.projection ? 1 : 0;
    if (maker.projection) {
      EXPECT_EQ(tensors[0].shape, (tensor::Shape{16, 16}));
    }
    EXPECT_EQ(tensors[0].offset, maker.places.storage_data);
    EXPECT_EQ(tensors[centroids].name, "quantized.centroids");
    EXPECT_EQ(tensors[centroids].shape, (tensor::Shape{2, 3, 8}));
    if (maker.quantized_norms) {
      EXPECT_EQ(tensors[centroids + 1].shape, (tensor::Shape{3}));
    }
    const model::TensorEntry& codes = tensors[tensors.size() - 2];
    EXPECT_EQ(codes.name, "quantized.codes");
    EXPECT_EQ(codes.dtype, tensor::DType::U8);
    EXPECT_EQ(codes.shape, (tensor::Shape{3, 2}));
    EXPECT_EQ(codes.value_limit, 3U);
    EXPECT_EQ(result.model->config.find("dims")->uint(), 16U);
    EXPECT_EQ(result.model->config.find("projection")->boolean(), maker.projection);
    EXPECT_EQ(result.model->config.find("quantized_norms")->boolean(), maker.quantized_norms);
  }
}

// 0.3: one to four bytes, never none.
TEST(Fifu, PadsOneToFourBytes) {
  for (const char* word : {"", "x", "xy", "xyz"}) {
    FifuMaker maker;
    maker.words = {word};
    const File file = maker.make();
    const auto result = read(file);
    ASSERT_TRUE(result.clean()) << word;
    EXPECT_EQ(result.model->tensors[0].offset % 4, 0U);
    EXPECT_GT(result.model->tensors[0].offset, maker.places.storage + kHead + 16);
  }
}

TEST(Fifu, ToleratesPaddingThatIsNotZero) {
  FifuMaker maker;
  File file = maker.make();
  const uint64_t at = maker.places.storage + kHead + 16;
  file[at] = 7;
  expect_tolerated(file, "storage.padding", at);
  file[at] = 0;
  file[maker.places.norms + kHead + 12 + 3] = 1;
  expect_tolerated(file, "norms.padding", maker.places.norms + kHead + 12);
}

// 0.5, header and chunks.
TEST(Fifu, ToleratesNormsThatTheHeaderDoesNotList) {
  FifuMaker maker;
  maker.header = {1, 2};
  const File file = maker.make();
  expect_tolerated(file, "header.chunk_ids", 12);
  EXPECT_EQ(read(file, Strictness::Lenient).model->tensors.size(), 2U);
}

TEST(Fifu, ToleratesAHeaderThatListsOtherChunks) {
  for (const std::vector<uint32_t>& header :
       std::vector<std::vector<uint32_t>>{{2, 1, 6}, {5, 1, 2, 6}, {1, 2, 6, 6}, {3, 2, 6}}) {
    FifuMaker maker;
    maker.header = header;
    expect_tolerated(maker.make(), "header.chunk_ids", 12);
  }
  FifuMaker maker;
  maker.norms = false;
  maker.header = {1, 2, 6};
  expect_tolerated(maker.make(), "header.chunk_ids", 12);
}

TEST(Fifu, ToleratesAHeaderThatListsNothing) {
  FifuMaker maker;
  maker.header = std::vector<uint32_t>{};
  expect_tolerated(maker.make(), "header.n_chunks", 8);
}

TEST(Fifu, RefusesUnknownIdsInTheHeader) {
  for (const uint32_t id : {0U, 10U, 255U}) {
    FifuMaker maker;
    maker.header = {1, id, 6};
    const auto result = read(maker.make(), Strictness::Lenient);
    ASSERT_TRUE(result.model);
    ASSERT_EQ(result.found.errors.size(), 1U);
    EXPECT_EQ(result.found.errors[0].path, "header.chunk_ids[1]");
    EXPECT_EQ(result.found.errors[0].byte_offset, 16U);
  }
}

TEST(Fifu, RefusesAnotherMagicVersionOrCount) {
  const File good = FifuMaker().make();
  File file = good;
  file[3] = 'U';
  expect_refused(file, ErrorCode::BadMagic, "header.magic", 0);
  file = good;
  put_at(file, 4, uint32_t{1});
  expect_refused(file, ErrorCode::UnsupportedVersion, "header.version", 4);
  file = good;
  put_at(file, 8, uint32_t{0x10000});
  expect_refused(file, ErrorCode::Truncated, "header.n_chunks", 8);
}

TEST(Fifu, RefusesChunksOutOfPlace) {
  FifuMaker maker;
  maker.metadata = "";
  const File good = maker.make();
  File file = good;
  put_at(file, maker.places.metadata, uint32_t{2});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.id", maker.places.metadata);
  for (const uint32_t id : {0U, 2U, 5U, 6U, 10U}) {
    file = good;
    put_at(file, maker.places.vocabulary, id);
    expect_refused(file, ErrorCode::BadValue, "vocabulary.id", maker.places.vocabulary);
  }
  for (const uint32_t id : {0U, 1U, 5U, 6U, 10U}) {
    file = good;
    put_at(file, maker.places.storage, id);
    expect_refused(file, ErrorCode::BadValue, "storage.id", maker.places.storage);
  }
}

// Python's Chunk.write makes them; no reader of whole files takes them.
TEST(Fifu, RefusesAFileOfOneChunk) {
  FifuMaker maker;
  maker.header = {1};
  File file = maker.make();
  file.resize(maker.places.storage);
  expect_refused(file, ErrorCode::Truncated, "storage.id", 0 + maker.places.storage);
  maker.header = {2};
  file = maker.make();
  file.erase(file.begin() + static_cast<std::ptrdiff_t>(maker.places.vocabulary),
             file.begin() + static_cast<std::ptrdiff_t>(maker.places.storage));
  expect_refused(file, ErrorCode::BadValue, "vocabulary.id", maker.places.vocabulary);
}

// Metadata is the only chunk that ends where its length says.
TEST(Fifu, KeepsMetadataThatIsNoToml) {
  FifuMaker maker;
  maker.metadata = "dims: 4";
  const File file = maker.make();
  expect_tolerated(file, "metadata", maker.places.metadata + kHead + 4);
  const auto result = read(file, Strictness::Lenient);
  EXPECT_EQ(result.model->metadata_text, "dims: 4");
  EXPECT_EQ(result.model->metadata.dump(), "{}");
}

TEST(Fifu, RefusesMetadataPastTheEndOrNotUtf8) {
  FifuMaker maker;
  maker.metadata = "a = 'x'";
  File file = maker.make();
  file[maker.places.metadata + kHead + 5] = 0xFF;
  expect_refused(file, ErrorCode::BadValue, "metadata.text", maker.places.metadata + kHead + 5);
  file = maker.make();
  put_at(file, maker.places.metadata + 4, uint64_t{1} << 20);
  expect_refused(file, ErrorCode::Truncated, "metadata.text", maker.places.metadata + kHead);
  put_at(file, maker.places.metadata + 4, UINT64_MAX);
  expect_refused(file, ErrorCode::LimitExceeded, "metadata.len", maker.places.metadata + 4);
}

TEST(Fifu, RefusesWordsPastTheEnd) {
  FifuMaker maker;
  const File good = maker.make();
  File file = good;
  put_at(file, maker.places.vocabulary + kHead, uint64_t{1} << 62);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.n_words", maker.places.vocabulary + kHead);
  file = good;
  put_at(file, maker.places.words + 10, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.words[1].length", maker.places.words + 10);
  maker = with_vocabulary(8);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kHead + 8, uint64_t{1} << 32);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.n_ngrams",
                 maker.places.vocabulary + kHead + 8);
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
                     maker.places.vocabulary + kHead + before);
    }
  }
}

TEST(Fifu, RefusesNoBucketsOrTooMany) {
  FifuMaker maker = with_vocabulary(7);
  File file = maker.make();
  put_at(file, maker.places.vocabulary + kHead + 16, uint32_t{0});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.buckets",
                 maker.places.vocabulary + kHead + 16);
  maker = with_vocabulary(3);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kHead + 16, uint32_t{64});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.bucket_exponent",
                 maker.places.vocabulary + kHead + 16);
  maker = with_vocabulary(9);
  maker.norms = false;
  file = maker.make();
  put_at(file, maker.places.vocabulary + kHead + 8, uint64_t{0});
  expect_refused(file, ErrorCode::BadValue, "vocabulary.n_buckets",
                 maker.places.vocabulary + kHead + 8);
}

// Rust reads it, Python refuses it.
TEST(Fifu, ToleratesOneBucket) {
  FifuMaker maker = with_vocabulary(3);
  maker.buckets = 0;
  const File file = maker.make();
  expect_tolerated(file, "vocabulary.bucket_exponent", maker.places.vocabulary + kHead + 16);
}

TEST(Fifu, RefusesFloretWithoutOrWithTooManyHashes) {
  for (const uint32_t n_hashes : {0U, 5U}) {
    FifuMaker maker = with_vocabulary(9);
    maker.norms = false;
    maker.n_hashes = n_hashes;
    const File file = maker.make();
    expect_refused(file, ErrorCode::BadValue, "vocabulary.n_hashes",
                   maker.places.vocabulary + kHead + 16);
  }
}

TEST(Fifu, RefusesFloretBracketsThatAreNotUtf8OrPassTheEnd) {
  FifuMaker maker = with_vocabulary(9);
  maker.norms = false;
  File file = maker.make();
  file[maker.places.vocabulary + kHead + 28] = 0xFF;
  expect_refused(file, ErrorCode::BadValue, "vocabulary.bow", maker.places.vocabulary + kHead + 28);
  file = maker.make();
  put_at(file, maker.places.vocabulary + kHead + 29, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "vocabulary.eow",
                 maker.places.vocabulary + kHead + 33);
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

TEST(Fifu, RefusesNgramIndicesThatLeaveOneOut) {
  FifuMaker maker = with_vocabulary(8);
  maker.ngrams = {{"<Be", 0}, {"Ber", 2}, {"a b", 0}};
  const auto result = read(maker.make(), Strictness::Lenient);
  ASSERT_TRUE(result.model);
  ASSERT_FALSE(result.found.errors.empty());
  EXPECT_EQ(result.found.errors[0].path, "vocabulary.n_ngrams");
  EXPECT_EQ(result.found.errors[0].byte_offset, maker.places.vocabulary + kHead + 8);
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

TEST(Fifu, RefusesOtherTypes) {
  FifuMaker maker;
  File file = maker.make();
  put_at(file, maker.places.storage + kHead + 12, uint32_t{11});
  expect_refused(file, ErrorCode::BadValue, "storage.type", maker.places.storage + kHead + 12);
  file = maker.make();
  put_at(file, maker.places.norms + kHead + 8, uint32_t{1});
  expect_refused(file, ErrorCode::BadValue, "norms.type", maker.places.norms + kHead + 8);
  maker.quantized = true;
  file = maker.make();
  put_at(file, maker.places.storage + kHead + 28, uint32_t{10});
  expect_refused(file, ErrorCode::BadValue, "storage.quantized_type",
                 maker.places.storage + kHead + 28);
  file = maker.make();
  put_at(file, maker.places.storage + kHead + 32, uint32_t{1});
  expect_refused(file, ErrorCode::BadValue, "storage.reconstructed_type",
                 maker.places.storage + kHead + 32);
}

TEST(Fifu, RefusesVectorsOfNoNumbers) {
  FifuMaker maker;
  File file = maker.make();
  put_at(file, maker.places.storage + kHead + 8, uint32_t{0});
  expect_refused(file, ErrorCode::BadValue, "storage.cols", maker.places.storage + kHead + 8);
}

TEST(Fifu, RefusesQuantizedLengthsThatDoNotFit) {
  struct Bad {
    uint64_t at;  // in the payload
    uint32_t value;
    const char* path;
  };
  const Bad kBad[] = {{8, 0, "storage.quantized_len"},
                      {8, 3, "storage.reconstructed_len"},
                      {12, 0, "storage.reconstructed_len"},
                      {12, 15, "storage.reconstructed_len"},
                      {16, 0, "storage.n_centroids"}};
  for (const Bad& bad : kBad) {
    FifuMaker maker;
    maker.quantized = true;
    File file = maker.make();
    put_at(file, maker.places.storage + kHead + bad.at, bad.value);
    const uint64_t named = std::string_view(bad.path).ends_with("reconstructed_len") ? 12 : bad.at;
    expect_refused(file, ErrorCode::BadValue, bad.path, maker.places.storage + kHead + named);
  }
}

TEST(Fifu, ToleratesFlagsOtherThanOne) {
  FifuMaker maker;
  maker.quantized = true;
  maker.projection = true;
  maker.quantized_norms = true;
  File file = maker.make();
  put_at(file, maker.places.storage + kHead, uint32_t{0x100});
  expect_tolerated(file, "storage.projection", maker.places.storage + kHead);
  file = maker.make();
  put_at(file, maker.places.storage + kHead + 4, UINT32_MAX);
  expect_tolerated(file, "storage.norms", maker.places.storage + kHead + 4);
}

TEST(Fifu, RefusesNumbersPastTheEnd) {
  FifuMaker maker;
  maker.norms = false;
  File file = maker.make();
  const uint64_t rows_at = maker.places.storage + kHead;
  put_at(file, rows_at, uint64_t{4});
  expect_refused(file, ErrorCode::Truncated, "storage", maker.places.storage_data);
  put_at(file, rows_at, uint64_t{1} << 60);
  expect_refused(file, ErrorCode::Overflow, "storage", rows_at);
  maker.quantized = true;
  file = maker.make();
  put_at(file, maker.places.storage + kHead + 16, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "quantized.centroids", maker.places.storage_data);
  file = maker.make();
  put_at(file, maker.places.storage + kHead + 20, UINT64_MAX);
  expect_refused(file, ErrorCode::Overflow, "quantized.codes", maker.places.storage + kHead + 20);
}

// Rust takes whatever is wrong with the norms for there being none.
TEST(Fifu, ToleratesNormsThatTheEndCutsOff) {
  FifuMaker maker;
  const File whole = maker.make();
  for (const uint64_t left : {4U, 11U, 12U, 20U, 24U, 28U, 39U}) {
    File file = whole;
    file.resize(maker.places.norms + left);
    const auto strict = read(file);
    ASSERT_TRUE(strict.model);
    EXPECT_EQ(strict.found.errors.size(), 1U) << left;
    const auto lenient = read(file, Strictness::Lenient);
    ASSERT_TRUE(lenient.model);
    EXPECT_TRUE(lenient.found.errors.empty());
    EXPECT_EQ(lenient.model->tensors.size(), 1U);
    EXPECT_FALSE(lenient.model->config.find("norms")->boolean());
  }
}

TEST(Fifu, ToleratesTrailingBytes) {
  FifuMaker maker;
  File file = maker.make();
  const size_t end = file.size();
  file.push_back(0);
  expect_tolerated(file, "end", end);
  // Another chunk where norms may stand is none of ours.
  maker.norms = false;
  file = maker.make();
  const size_t vectors_end = file.size();
  testing::put(file, uint32_t{5});
  testing::put(file, uint64_t{0});
  expect_tolerated(file, "end", vectors_end);
}

TEST(Fifu, LeavesWordsOutWhenNobodyWantsThem) {
  for (const uint32_t id : {1U, 3U, 7U, 8U, 9U}) {
    FifuMaker maker = with_vocabulary(id);
    maker.norms = id != 9;
    const File file = maker.make();
    const auto whole = read(file);
    const auto result = read(file, Strictness::Strict, {.vocabulary = false});
    ASSERT_TRUE(result.clean()) << id;
    EXPECT_EQ(result.model->words->words.size(), id == 8 ? 3U : 0U);
    EXPECT_EQ(result.model->words->n_words, whole.model->words->n_words);
    EXPECT_EQ(result.model->tensors, whole.model->tensors);
    EXPECT_EQ(result.model->regions, whole.model->regions);
  }
}

TEST(Fifu, ReadsWordsAfterAllWhereTheLengthLeadsNowhere) {
  for (const uint64_t length : {0U, 30U, 1000000U}) {
    FifuMaker maker;
    File file = maker.make();
    put_at(file, maker.places.vocabulary + 4, length);
    const auto result = read(file, Strictness::Lenient, {.vocabulary = false});
    ASSERT_TRUE(result.model);
    EXPECT_EQ(result.model->words->words.size(), 3U);
    EXPECT_EQ(result.model->tensors.size(), 2U);
  }
}

// Offsets past 4 GiB in a file that is mostly not there.
TEST(Fifu, PlacesTensorsPastFourGigabytes) {
  FifuMaker maker = with_vocabulary(3);
  maker.norms = true;
  File head = maker.make();
  const uint64_t rows = maker.words.size() + (uint64_t{1} << 27);
  put_at(head, maker.places.vocabulary + kHead + 16, uint32_t{27});
  put_at(head, maker.places.storage + kHead, rows);
  const uint64_t bytes = rows * maker.dims * 4;
  put_at(head, maker.places.storage + 4,
         maker.places.storage_data - maker.places.storage - kHead + bytes);
  const File norms(head.begin() + static_cast<std::ptrdiff_t>(maker.places.norms), head.end());
  head.resize(maker.places.storage_data);
  formats::testing::SparseSource source;
  source.put(0, head);
  source.put(maker.places.storage_data + bytes, norms);
  io::Diagnostics found;
  const auto model = parse(source, found);
  ASSERT_TRUE(model) << describe(model.error());
  check(*model, found);
  EXPECT_TRUE(found.errors.empty());
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(model->tensors[0].bytes, bytes);
  EXPECT_GT(model->tensors[1].offset, 8ULL << 30);
  EXPECT_LT(source.largest_view(), 4096U);
}

}  // namespace
}  // namespace ambry::formats::finalfusion
