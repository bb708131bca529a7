#include "tensor/codec/stored_values.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/decode_payload.h"
#include "tensor/codec/reference_blocks.h"

namespace ambry::tensor {
namespace {

struct StoredCase {
  DType dtype;
  uint64_t rows, cols;
  uint16_t block;
};

// Rows that end inside bytes, units and blocks.
const StoredCase kCases[] = {
    {DType::Int8, 3, 20, 0},       {DType::Int8, 3, 20, 20},      {DType::Int8, 5, 37, 16},
    {DType::Int4, 3, 21, 0},       {DType::Int4, 4, 21, 6},       {DType::Int5, 3, 21, 0},
    {DType::Int5, 4, 37, 10},      {DType::Int4Block, 3, 64, 32}, {DType::Int4Block, 3, 45, 32},
    {DType::Int5Block, 3, 45, 16}, {DType::Adaptive, 7, 90, 8},
};

Encoded encoded(const StoredCase& c) {
  const std::vector<float> values =
      random_values(static_cast<size_t>(c.rows * c.cols), static_cast<uint32_t>(c.cols));
  EncodeOptions options{.block_size = c.block};
  const DType mixed[] = {DType::F16, DType::Int8, DType::Int4, DType::Int5};
  std::vector<DType> precisions;
  if (c.dtype == DType::Adaptive) {
    for (uint64_t i = 0; i < c.rows * ((c.cols + c.block - 1) / c.block); ++i) {
      precisions.push_back(mixed[(i * 7 + i / 5) % 4]);
    }
    options.precisions = precisions;
  }
  auto result = encode(c.dtype, {c.rows, c.cols}, values, options);
  EXPECT_TRUE(result) << describe(result.error());
  return result ? std::move(*result) : Encoded();
}

void expect_same(const StoredCase& c, const Quantization& how, const Payload& payload) {
  const auto all = decoded(c.dtype, {c.rows, c.cols}, how, payload);
  const auto stored = StoredValues::create(c.dtype, c.rows, c.cols, how, payload);
  ASSERT_TRUE(all && stored);
  std::vector<float> run;
  for (size_t row = 0; row < c.rows; ++row) {
    for (size_t col = 0; col < c.cols; col += 3) {
      for (size_t n = 1; n <= c.cols - col; n += 5) {
        run.assign(n, -99.0F);
        stored->read(row, col, run);
        const auto from = all->begin() + static_cast<std::ptrdiff_t>(row * c.cols + col);
        EXPECT_TRUE(std::equal(run.begin(), run.end(), from))
            << dtype_name(c.dtype) << " " << row << "," << col << " +" << n;
      }
    }
  }
}

TEST(StoredValuesTest, GivesAnyRunOfEveryTypeAsTheStreamDoes) {
  for (const StoredCase& c : kCases) {
    const Encoded stored = encoded(c);
    expect_same(c, stored.quantization, stored.payload);
  }
}

TEST(StoredValuesTest, ReadsBlocksOverTheFlattenedTensor) {
  for (const StoredCase& c :
       {StoredCase{DType::Int4, 6, 7, 8}, StoredCase{DType::Int5, 6, 7, 8},
        StoredCase{DType::Int4Block, 3, 20, 8}, StoredCase{DType::Adaptive, 6, 20, 8}}) {
    // The bytes of one row of as many elements.
    const Encoded one_row = encoded({c.dtype, 1, c.rows * c.cols, c.block});
    Quantization how = one_row.quantization;
    how.across_rows = true;
    expect_same(c, how, one_row.payload);
  }
}

TEST(StoredValuesTest, ReadsPayloadsWithoutAPrefix) {
  const StoredCase c{DType::Int8, 5, 37, 16};
  Encoded stored = encoded(c);
  stored.payload.erase(stored.payload.begin(), stored.payload.begin() + kQuantPrefixBytes);
  stored.quantization.prefix_bytes = 0;
  expect_same(c, stored.quantization, stored.payload);
}

TEST(StoredValuesTest, ReadsPlainNumbers) {
  const Payload halves = hex("00 3C 00 C0 01 00 FF 7B 00 38 00 00");
  const auto stored = StoredValues::create(DType::F16, 2, 3, std::nullopt, halves);
  ASSERT_TRUE(stored);
  std::vector<float> run(2);
  stored->read(0, 1, run);
  EXPECT_EQ(run, (std::vector<float>{-2.0F, 0x1p-24F}));
  stored->read(1, 0, run);
  EXPECT_EQ(run, (std::vector<float>{65504.0F, 0.5F}));
}

void expect_error(const StoredCase& c, const Quantization& how, const Payload& payload,
                  ErrorCode code, const std::string& path) {
  const auto stored = StoredValues::create(c.dtype, c.rows, c.cols, how, payload);
  ASSERT_FALSE(stored) << path;
  EXPECT_EQ(stored.error().code, code) << describe(stored.error());
  EXPECT_EQ(stored.error().path, path) << describe(stored.error());
}

TEST(StoredValuesTest, RefusesPayloadsOfAnotherSize) {
  for (const StoredCase& c : kCases) {
    Encoded stored = encoded(c);
    stored.payload.pop_back();
    expect_error(c, stored.quantization, stored.payload, ErrorCode::Mismatch, "data");
    stored.payload.resize(stored.payload.size() + 2);
    expect_error(c, stored.quantization, stored.payload, ErrorCode::Mismatch, "data");
  }
}

TEST(StoredValuesTest, RefusesAMaskThatMeansNothing) {
  const StoredCase c{DType::Adaptive, 2, 16, 8};
  Encoded stored = encoded(c);
  stored.payload[kQuantPrefixBytes + 2] = 2;
  expect_error(c, stored.quantization, stored.payload, ErrorCode::BadValue, "mask[2]");
}

TEST(StoredValuesTest, RefusesScalesThatAreNotFinite) {
  const StoredCase c{DType::Int4Block, 2, 16, 8};
  Encoded stored = encoded(c);
  const size_t third = kQuantPrefixBytes + 2 * (2 + 4);
  store_le<uint16_t>(&stored.payload[third], 0x7C00);
  expect_error(c, stored.quantization, stored.payload, ErrorCode::BadValue, "scales[2]");
}

TEST(StoredValuesTest, RefusesSizesThatPass64Bits) {
  const StoredCase c{DType::Int8, uint64_t{1} << 40, uint64_t{1} << 40, 0};
  expect_error(c, {}, Payload(16), ErrorCode::Overflow, "shape");
}

// At any column, over any number of blocks.
TEST(StoredValuesTest, ReadsAnyRunOfGgmlsBlocks) {
  for (const DType dtype : testing::reference_types()) {
    if (!StoredValues::can_read(dtype)) continue;
    const Block block = block_of(dtype);
    const uint64_t cols = block.elements * 3;
    const std::vector<uint8_t> payload = testing::random_blocks(dtype, 6, 9);
    const auto stored = StoredValues::create(dtype, 2, cols, std::nullopt, payload);
    ASSERT_TRUE(stored) << describe(stored.error());
    std::vector<float> all(2 * cols);
    ASSERT_TRUE(decode_blocks(dtype, payload, all));
    std::vector<float> run;
    for (const size_t row : {0U, 1U}) {
      for (size_t col = 0; col < cols; col += 1 + cols / 17) {
        for (size_t n = 1; n <= cols - col; n += 1 + cols / 13) {
          run.assign(n, -99.0F);
          stored->read(row, col, run);
          const auto from = all.begin() + static_cast<std::ptrdiff_t>(row * cols + col);
          ASSERT_TRUE(std::equal(run.begin(), run.end(), from))
              << dtype_name(dtype) << " " << row << "," << col << " +" << n;
        }
      }
    }
  }
}

TEST(StoredValuesTest, ChecksGgmlsBlocks) {
  const StoredCase c{DType::Q4_K, 2, 512, 0};
  std::vector<uint8_t> payload = testing::random_blocks(c.dtype, 4, 9);
  expect_error(c, {}, Payload(payload.begin(), payload.end() - 1), ErrorCode::Mismatch, "data");
  store_le<uint16_t>(&payload[3 * 144 + 2], 0x7C00);
  expect_error(c, {}, Payload(payload.begin(), payload.end()), ErrorCode::BadValue, "scales[3]");
}

TEST(StoredValuesTest, RejectsTypesThatCannotRun) {
  for (const DType dtype : {DType::F4, DType::F8E4M3, DType::I8, DType::F64}) {
    expect_error({dtype, 1, 32, 0}, {}, Payload(18), ErrorCode::Unsupported, "dtype");
  }
  EXPECT_EQ(StoredValues::create(DType::F4, 1, 32, {}, Payload(16)).error().message,
            "f4 weights cannot be computed with");
}

}  // namespace
}  // namespace ambry::tensor
