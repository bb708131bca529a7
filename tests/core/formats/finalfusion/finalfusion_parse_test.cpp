#include "formats/finalfusion/finalfusion_parse.h"
#include "formats/expect_format.h"

#include <gtest/gtest.h>

#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"
#include "formats/sparse_source.h"

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

// core/formats/finalfusion/README.md#padding-rule
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

// core/formats/finalfusion/README.md#header-list
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
TEST(Fifu, KeepsMetadataThatIsNotToml) {
  FifuMaker maker;
  maker.metadata = "dims: 4";
  const File file = maker.make();
  expect_tolerated(file, "metadata", maker.places.metadata + kHead + 4);
  const auto result = read(file, Strictness::Lenient);
  EXPECT_EQ(result.model->metadata_text, "dims: 4");
  EXPECT_EQ(result.model->metadata.dump(), "{}");
}

TEST(Fifu, ReportsMetadataThatIsRepeatedOrTooDeep) {
  std::string deep = "a = ";
  deep.append(200'000, '[').append(200'000, ']');
  std::string dotted = "[a";
  for (size_t i = 0; i < 200'000; ++i) dotted += ".a";
  for (const std::string& text :
       {std::string("a = 1\na = 2\n"), std::string("[a]\n[a]\n"), deep, dotted + "]\n"}) {
    FifuMaker maker;
    maker.metadata = text;
    const File file = maker.make();
    const auto lenient = read(file, Strictness::Lenient);
    ASSERT_TRUE(lenient.model);
    ASSERT_EQ(lenient.found.warnings.size(), 1U) << text.substr(0, 20);
    EXPECT_EQ(lenient.found.warnings[0].path, "metadata");
    const auto strict = read(file, Strictness::Strict);
    EXPECT_EQ(strict.found.errors.size(), 1U) << text.substr(0, 20);
  }
}

TEST(Fifu, ReportsNormsThatAreCutAnywhere) {
  FifuMaker maker;
  File file = maker.make();
  while (file.size() > maker.places.storage_data) {
    file.pop_back();
    const auto result = read(file, Strictness::Lenient);
    if (result.model) {
      EXPECT_FALSE(result.found.warnings.empty() && result.found.errors.empty()) << file.size();
    }
  }
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

TEST(Fifu, ReadsWordsOnlyOnRequest) {
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

TEST(Fifu, ReadsWordsIfTheStatedLengthIsWrong) {
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
