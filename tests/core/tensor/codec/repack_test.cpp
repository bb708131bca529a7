#include "tensor/codec/repack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/reference_codec.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::tensor {
namespace {

constexpr uint64_t kRows = 5;
constexpr uint64_t kCols = 96;
constexpr uint64_t kBlocks = kRows * kCols / 32;
const Shape kShape = {kRows, kCols};

std::vector<uint8_t> made_up_blocks(DType dtype) {
  std::mt19937 random(11);  // NOLINT(bugprone-random-generator-seed): the same bytes every time
  const size_t size = block_of(dtype).bytes;
  std::vector<uint8_t> bytes(kBlocks * size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  for (size_t at = 1; at < bytes.size(); at += size) bytes[at] &= 0xBB;  // finite scales
  return bytes;
}

// The whole payload of AMB, as a converter makes it.
std::vector<uint8_t> to_payload(DType dtype, const std::vector<uint8_t>& blocks) {
  const auto prefix = quant_prefix(*payload_type(dtype), kRepackedQuantization);
  std::vector<uint8_t> payload(prefix.begin(), prefix.end());
  const size_t at = payload.size();
  if (dtype != DType::Q8_0) {
    payload.resize(at + blocks.size());
    repack_blocks(dtype, blocks, MutableBytes(payload).subspan(at));
    return payload;
  }
  payload.resize(at + kBlocks * 34);
  take_q8_scales(blocks, MutableBytes(payload).subspan(at, kBlocks * 2));
  take_q8_codes(blocks, MutableBytes(payload).subspan(at + kBlocks * 2));
  return payload;
}

std::vector<uint8_t> to_blocks(DType dtype, const std::vector<uint8_t>& payload) {
  const Bytes body = Bytes(payload).subspan(kQuantPrefixBytes);
  std::vector<uint8_t> blocks(body.size());
  if (dtype == DType::Q8_0) {
    join_q8(body.first(kBlocks * 2), body.subspan(kBlocks * 2), blocks);
  } else {
    repack_blocks(*payload_type(dtype), body, blocks);
  }
  return blocks;
}

class Repack : public ::testing::TestWithParam<DType> {};

TEST_P(Repack, KeepsEveryValueAndComesBackByteForByte) {
  const std::vector<uint8_t> blocks = made_up_blocks(GetParam());
  std::vector<float> expected(kRows * kCols);
  ASSERT_TRUE(decode_blocks(GetParam(), blocks, expected));

  const std::vector<uint8_t> payload = to_payload(GetParam(), blocks);
  const DType dtype = *payload_type(GetParam());
  auto decoder = StreamDecoder::create(dtype, kShape, kRepackedQuantization, payload.size());
  ASSERT_TRUE(decoder) << describe(decoder.error());
  std::vector<float> values(expected.size());
  Bytes rest = payload;
  ASSERT_EQ(decoder->decode(rest, values).value(), values.size());
  EXPECT_TRUE(decoder->finish());
  EXPECT_EQ(values, expected);
  // The formulas of core/formats/gguf/README.md say the same.
  const testing::ReferenceCodec reference{payload[0], kRows, kCols, 32, true, payload};
  for (uint64_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(static_cast<float>(reference.element(i / kCols, i % kCols)), expected[i]) << i;
  }
  EXPECT_EQ(to_blocks(GetParam(), payload), blocks);
  EXPECT_EQ(block_type(dtype, kShape, kRepackedQuantization), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Types, Repack, ::testing::Values(DType::Q4_0, DType::Q5_0, DType::Q8_0),
                         [](const auto& row) { return std::string(dtype_name(row.param)); });

TEST(Repack, PutsNeighboursIntoOneByte) {
  // Elements 0 to 15 are -8 … 7, elements 16 to 31 are 7 … -8.
  std::vector<uint8_t> block = {0x00, 0x3C};
  for (int i = 0; i < 16; ++i) block.push_back(static_cast<uint8_t>(i | (15 - i) << 4));
  repack_blocks(DType::Q4_0, block, block);
  const std::vector<uint8_t> expected = {0x00, 0x3C, 0x98, 0xBA, 0xDC, 0xFE, 0x10, 0x32, 0x54,
                                         0x76, 0x67, 0x45, 0x23, 0x01, 0xEF, 0xCD, 0xAB, 0x89};
  EXPECT_EQ(block, expected);
}

TEST(Repack, TurnsWholeTensorsIntoPayloads) {
  for (const DType dtype : {DType::Q4_0, DType::Q5_0, DType::Q8_0}) {
    const auto blocks = made_up_blocks(dtype);
    AlignedBuffer bytes = AlignedBuffer::allocate(blocks.size()).value();
    std::ranges::copy(blocks, bytes.data());
    const AlignedBuffer whole = repack_whole(dtype, std::move(bytes)).value();
    const auto expected = to_payload(dtype, blocks);
    EXPECT_TRUE(std::ranges::equal(whole.bytes(), Bytes(expected).subspan(kQuantPrefixBytes)));
  }
}

TEST(Repack, FindsNoBlockTypeForOtherLayouts) {
  for (const DType dtype : {DType::Q4_1, DType::Q5_1, DType::Q8_1, DType::F16}) {
    EXPECT_FALSE(payload_type(dtype)) << dtype_name(dtype);
  }
  const Quantization usual = kRepackedQuantization;
  EXPECT_FALSE(block_type(DType::Int4, kShape, usual));
  EXPECT_FALSE(block_type(DType::Adaptive, kShape, usual));
  EXPECT_FALSE(block_type(DType::Int8, {kRows, 48}, usual));
  EXPECT_FALSE(block_type(DType::Int8, {}, usual));
  Quantization other = usual;
  other.block_size = 128;
  EXPECT_FALSE(block_type(DType::Int4Block, kShape, other));
  other = usual;
  other.scale_type = DType::F32;
  EXPECT_FALSE(block_type(DType::Int4Block, kShape, other));
  other = usual;
  other.across_rows = true;
  EXPECT_FALSE(block_type(DType::Int4Block, kShape, other));
}

}  // namespace
}  // namespace ambry::tensor
