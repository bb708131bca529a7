#include "formats/finalfusion/storage_chunk.h"
#include "formats/expect_format.h"

#include <gtest/gtest.h>

#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"

namespace ambry::formats::finalfusion {
namespace {

using io::Strictness;
using testing::expect_refused;
using testing::expect_tolerated;
using testing::FifuMaker;
using testing::File;
using testing::kChunkHead;
using testing::put_at;
using testing::read;

// core/formats/finalfusion/README.md#quantized-array
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

TEST(Fifu, RefusesOtherTypes) {
  FifuMaker maker;
  File file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 12, uint32_t{11});
  expect_refused(file, ErrorCode::BadValue, "storage.type", maker.places.storage + kChunkHead + 12);
  file = maker.make();
  put_at(file, maker.places.norms + kChunkHead + 8, uint32_t{1});
  expect_refused(file, ErrorCode::BadValue, "norms.type", maker.places.norms + kChunkHead + 8);
  maker.quantized = true;
  file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 28, uint32_t{10});
  expect_refused(file, ErrorCode::BadValue, "storage.quantized_type",
                 maker.places.storage + kChunkHead + 28);
  file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 32, uint32_t{1});
  expect_refused(file, ErrorCode::BadValue, "storage.reconstructed_type",
                 maker.places.storage + kChunkHead + 32);
}

TEST(Fifu, RefusesVectorsOfNoNumbers) {
  FifuMaker maker;
  File file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 8, uint32_t{0});
  expect_refused(file, ErrorCode::BadValue, "storage.cols", maker.places.storage + kChunkHead + 8);
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
    put_at(file, maker.places.storage + kChunkHead + bad.at, bad.value);
    const uint64_t named = std::string_view(bad.path).ends_with("reconstructed_len") ? 12 : bad.at;
    expect_refused(file, ErrorCode::BadValue, bad.path, maker.places.storage + kChunkHead + named);
  }
}

TEST(Fifu, ToleratesFlagsOtherThanOne) {
  FifuMaker maker;
  maker.quantized = true;
  maker.projection = true;
  maker.quantized_norms = true;
  File file = maker.make();
  put_at(file, maker.places.storage + kChunkHead, uint32_t{0x100});
  expect_tolerated(file, "storage.projection", maker.places.storage + kChunkHead);
  file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 4, UINT32_MAX);
  expect_tolerated(file, "storage.norms", maker.places.storage + kChunkHead + 4);
}

TEST(Fifu, RefusesNumbersPastTheEnd) {
  FifuMaker maker;
  maker.norms = false;
  File file = maker.make();
  const uint64_t rows_at = maker.places.storage + kChunkHead;
  put_at(file, rows_at, uint64_t{4});
  expect_refused(file, ErrorCode::Truncated, "storage", maker.places.storage_data);
  put_at(file, rows_at, uint64_t{1} << 60);
  expect_refused(file, ErrorCode::Overflow, "storage", rows_at);
  maker.quantized = true;
  file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 16, UINT32_MAX);
  expect_refused(file, ErrorCode::Truncated, "quantized.centroids", maker.places.storage_data);
  file = maker.make();
  put_at(file, maker.places.storage + kChunkHead + 20, UINT64_MAX);
  expect_refused(file, ErrorCode::Overflow, "quantized.codes",
                 maker.places.storage + kChunkHead + 20);
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

// The header still lists the chunk.
TEST(Fifu, ReportsNormsThatAreCutOffWholly) {
  FifuMaker maker;
  const File whole = maker.make();
  for (const uint64_t left : {0U, 3U}) {
    File file = whole;
    file.resize(maker.places.norms + left);
    const auto read_file = read(file, Strictness::Lenient);
    ASSERT_TRUE(read_file.model);
    ASSERT_EQ(read_file.found.warnings.size(), 1U) << left;
    EXPECT_EQ(read_file.found.warnings[0].code, ErrorCode::Truncated);
    EXPECT_EQ(read_file.found.warnings[0].path, "norms");
    EXPECT_EQ(read_file.found.warnings[0].byte_offset, maker.places.norms);
  }
}

}  // namespace
}  // namespace ambry::formats::finalfusion
