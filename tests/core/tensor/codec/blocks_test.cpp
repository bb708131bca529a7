#include "tensor/codec/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/half.h"

namespace ambry::tensor {
namespace {

std::vector<uint8_t> made_up_bytes(size_t n) {
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same bytes every time
  std::vector<uint8_t> bytes(n);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// The number at element `i` of a block's packed bits, straight from core/formats/gguf/README.md.
int packed(const uint8_t* at, int i) { return i < 16 ? at[i] % 16 : at[i - 16] / 16; }
int fifth(const uint8_t* at, int i) { return at[i / 8] >> (i % 8) & 1; }

double expected(DType dtype, const uint8_t* block, int i) {
  const double d = f16_to_f32(load_le<uint16_t>(block));
  const double m = f16_to_f32(load_le<uint16_t>(block + 2));
  switch (dtype) {
    case DType::Q4_0:
      return d * (packed(block + 2, i) - 8);
    case DType::Q4_1:
      return static_cast<float>(d * packed(block + 4, i)) + m;
    case DType::Q5_0:
      return d * (packed(block + 6, i) + 16 * fifth(block + 2, i) - 16);
    case DType::Q5_1:
      return static_cast<float>(d * (packed(block + 8, i) + 16 * fifth(block + 4, i))) + m;
    default:
      return d * static_cast<int8_t>(block[2 + i]);
  }
}

TEST(Blocks, DecodesGgmlsOldTypesExactly) {
  for (const DType dtype : {DType::Q4_0, DType::Q4_1, DType::Q5_0, DType::Q5_1, DType::Q8_0}) {
    const Block block = block_of(dtype);
    constexpr size_t kBlocks = 50;
    std::vector<uint8_t> bytes = made_up_bytes(kBlocks * block.bytes);
    for (size_t b = 0; b < kBlocks; ++b) {
      for (const size_t at : {size_t{1}, size_t{3}})
        bytes[b * block.bytes + at] &= 0xBB;  // finite scale and minimum
    }
    std::vector<float> out(kBlocks * block.elements);
    ASSERT_TRUE(can_decode_blocks(dtype));
    ASSERT_TRUE(decode_blocks(dtype, bytes, out));
    for (size_t i = 0; i < out.size(); ++i) {
      const uint8_t* at = bytes.data() + i / block.elements * block.bytes;
      const double value = expected(dtype, at, static_cast<int>(i % block.elements));
      ASSERT_EQ(out[i], static_cast<float>(value)) << dtype_name(dtype) << " " << i;
    }
    // A block at a time gives the same.
    std::vector<float> one(block.elements);
    ASSERT_TRUE(decode_blocks(dtype, Bytes(bytes).subspan(block.bytes, block.bytes), one));
    EXPECT_EQ(one,
              std::vector<float>(out.begin() + block.elements, out.begin() + 2 * block.elements));
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
  for (const DType dtype : {DType::Q2_K, DType::F32, DType::Int4, DType::F4}) {
    EXPECT_FALSE(can_decode_blocks(dtype));
    EXPECT_EQ(decode_blocks(dtype, bytes, out).error().code, ErrorCode::Unsupported);
  }
  EXPECT_EQ(
      decode_blocks(DType::Q8_0, Bytes(bytes).first(34), std::span(out).first(31)).error().code,
      ErrorCode::Mismatch);
  EXPECT_EQ(
      decode_blocks(DType::Q8_0, Bytes(bytes).first(35), std::span(out).first(32)).error().code,
      ErrorCode::Mismatch);
  EXPECT_TRUE(decode_blocks(DType::Q8_0, {}, {}));
}

}  // namespace
}  // namespace ambry::tensor
