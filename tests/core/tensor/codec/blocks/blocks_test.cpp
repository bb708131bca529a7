#include "tensor/codec/blocks/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "data_files.h"
#include "io/crc32.h"
#include "tensor/codec/blocks/grid_blocks.h"
#include "tensor/codec/reference_blocks.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::tensor {
namespace {

// Blocks of each type that are compared: enough for 1,000,000 numbers, or as many as
// AMBRY_TEST_BLOCKS says.
size_t n_blocks(DType dtype) {
  const char* stated = std::getenv("AMBRY_TEST_BLOCKS");
  if (stated != nullptr) return std::stoul(stated);
  return size_t{1'000'000} / block_of(dtype).elements + 1;
}

TEST(Blocks, AgreeWithASecondReaderInEveryBit) {
  constexpr size_t kPart = 4096;  // blocks at a time
  for (const DType dtype : testing::reference_types()) {
    ASSERT_TRUE(can_decode_blocks(dtype)) << dtype_name(dtype);
    size_t left = n_blocks(dtype);
    for (uint64_t seed = 1; left > 0; ++seed) {
      const size_t n = std::min(left, kPart);
      const std::vector<uint8_t> blocks = testing::random_blocks(dtype, n, seed);
      std::vector<float> values(n * block_of(dtype).elements);
      ASSERT_TRUE(decode_blocks(dtype, blocks, values));
      ASSERT_EQ(testing::first_difference(dtype, blocks, values), std::nullopt)
          << dtype_name(dtype) << ", seed " << seed;
      left -= n;
    }
  }
}

TEST(Blocks, AreReadByTheSecondReaderWhereTheyAreReadAtAll) {
  const std::vector<DType> known = testing::reference_types();
  for (const DTypeRow& row : kDTypeTable) {
    if (row.kind != ElementKind::Stored || !row.gguf) continue;
    EXPECT_EQ(can_decode_blocks(row.dtype), std::ranges::find(known, row.dtype) != known.end())
        << row.name;
  }
}

TEST(Blocks, AgreeWithGgmlsOwnReference) {
  AMBRY_NEEDS_DATA("ggml_blocks");
  for (const DType dtype : testing::reference_types()) {
    std::string name(dtype_name(dtype));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return static_cast<char>(toupper(c)); });
    const auto blocks = ambry::testing::data_file("ggml_blocks/" + name + ".blocks");
    const auto stored = ambry::testing::data_file("ggml_blocks/" + name + ".f32");
    if (!blocks || !stored) continue;  // not every type is there
    std::vector<float> values(stored->size() / sizeof(float));
    ASSERT_FALSE(values.empty());
    ASSERT_TRUE(decode_blocks(dtype, *blocks, values));
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], load_le<float>(stored->data() + i * sizeof(float))) << name << " " << i;
    }
  }
}

// The CRC-32 of each table of ggml-common.h, as little-endian bytes.
TEST(Blocks, HaveTheGridsOfGgml) {
  struct Row {
    DType dtype;
    std::vector<uint8_t> numbers;
    uint32_t crc;
  };
  const std::vector<uint8_t> two = {8, 25, 43};
  const std::vector<Row> rows = {
      {DType::IQ2_XXS, two, 0x9924FF02U},
      {DType::IQ2_XS, two, 0xFA1E1BFDU},
      {DType::IQ2_S, two, 0x25AE5BF1U},
      {DType::IQ1_S, {255, 0, 1}, 0xB85E6CCFU},
      {DType::IQ1_M, {255, 0, 1}, 0xB85E6CCFU},
      {DType::IQ3_XXS, {4, 12, 20, 28, 36, 44, 52, 62}, 0x07BA9ED0U},
      {DType::IQ3_S, {1, 3, 5, 7, 9, 11, 13, 15}, 0xF576E4F3U},
  };
  for (const auto& [dtype, numbers, crc] : rows) {
    const uint32_t bits = numbers.size() == 3 ? 2 : 3;
    std::vector<uint8_t> bytes;
    for (uint32_t point : grid_points(dtype)) {
      for (size_t i = 0; i < (bits == 2 ? 8 : 4); ++i, point >>= bits) {
        bytes.push_back(numbers[point & ((1U << bits) - 1)]);
      }
    }
    EXPECT_EQ(io::crc32(bytes), crc) << dtype_name(dtype);
  }
}

TEST(Blocks, DecodesEightBitFloats) {
  std::vector<uint8_t> all(256);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i);
  std::vector<float> e4m3(256);
  std::vector<float> e5m2(256);
  ASSERT_TRUE(decode_blocks(DType::F8E4M3, all, e4m3));
  ASSERT_TRUE(decode_blocks(DType::F8E5M2, all, e5m2));
  for (int i = 0; i < 256; ++i) {
    const double sign = i < 128 ? 1 : -1;
    const int e4 = i >> 3 & 15;
    const int m3 = i & 7;
    const double by_4 = e4 == 0 ? std::ldexp(m3, -9) : std::ldexp(8 + m3, e4 - 10);
    const auto at = static_cast<size_t>(i);
    if ((i & 127) == 127) {
      EXPECT_TRUE(std::isnan(e4m3[at]));
    } else {
      EXPECT_EQ(e4m3[at], sign * by_4) << i;
    }
    const int e5 = i >> 2 & 31;
    const int m2 = i & 3;
    const double by_5 = e5 == 0 ? std::ldexp(m2, -16) : std::ldexp(4 + m2, e5 - 17);
    if (e5 < 31) {
      EXPECT_EQ(e5m2[at], sign * by_5) << i;
    } else {
      EXPECT_EQ(std::isinf(e5m2[at]), m2 == 0) << i;
    }
  }
  EXPECT_EQ(e4m3[0x7E], 448.0F);
}

TEST(Blocks, RefusesOtherTypesAndPartsOfBlocks) {
  std::vector<uint8_t> bytes(84);
  std::vector<float> out(256);
  for (const DType dtype : {DType::F32, DType::Int4, DType::F4, DType::C64}) {
    EXPECT_FALSE(can_decode_blocks(dtype));
    EXPECT_EQ(decode_blocks(dtype, bytes, out).error().code, ErrorCode::Unsupported);
  }
  EXPECT_EQ(decode_blocks(DType::F4, bytes, out).error().message, "values of f4 cannot be read");
  EXPECT_EQ(
      decode_blocks(DType::Q8_0, Bytes(bytes).first(34), std::span(out).first(31)).error().code,
      ErrorCode::Mismatch);
  EXPECT_EQ(
      decode_blocks(DType::Q8_0, Bytes(bytes).first(35), std::span(out).first(32)).error().code,
      ErrorCode::Mismatch);
  EXPECT_TRUE(decode_blocks(DType::Q8_0, {}, {}));
}

TEST(Blocks, FindsScalesThatAreNotFinite) {
  for (const DType dtype : testing::reference_types()) {
    std::vector<uint8_t> blocks = testing::random_blocks(dtype, 3, 5);
    EXPECT_TRUE(check_block_scales(dtype, blocks)) << dtype_name(dtype);
    std::fill_n(blocks.begin() + 2 * block_of(dtype).bytes, block_of(dtype).bytes, uint8_t{0xFF});
    const auto checked = check_block_scales(dtype, blocks);
    if (dtype == DType::NVFP4) {  // its scales are always finite
      EXPECT_TRUE(checked);
      continue;
    }
    ASSERT_FALSE(checked) << dtype_name(dtype);
    EXPECT_EQ(checked.error().path, "scales[2]");
  }
}

}  // namespace
}  // namespace ambry::tensor
