#include "tensor/codec/stream_decoder.h"

#include <gtest/gtest.h>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/decode_payload.h"
#include "tensor/codec/encode.h"

namespace ambry::tensor {
namespace {

TEST(StreamDecoder, RefusesAnotherSize) {
  EXPECT_EQ(StreamDecoder::create(DType::F32, {2, 2}, {}, 15).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(StreamDecoder::create(DType::F32, {UINT64_MAX, 2}, {}, 15).error().code,
            ErrorCode::Overflow);
  const Quantization how{8, DType::F16, 4, false};
  EXPECT_TRUE(StreamDecoder::create(DType::Int4Block, {8}, how, 10));
  EXPECT_FALSE(StreamDecoder::create(DType::Int4Block, {8}, how, 11));
  EXPECT_FALSE(StreamDecoder::create(DType::Int4Block, {8}, {}, 10));
}

TEST(StreamDecoder, RefusesADamagedMask) {
  const std::vector<float> x(16, 1);
  const DType precisions[] = {DType::Int4, DType::F16};
  auto encoded = encode(DType::Adaptive, {16}, x, {.block_size = 8, .precisions = precisions});
  ASSERT_TRUE(encoded);
  const auto read = [&](size_t at, uint8_t byte) {
    Payload payload = encoded->payload;
    payload[at] = byte;
    return decoded(DType::Adaptive, {16}, encoded->quantization, payload, 1);
  };
  const auto unknown = read(5, 2);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::BadValue);
  EXPECT_EQ(unknown.error().byte_offset, 105U);
  EXPECT_EQ(unknown.error().path, "mask[1]");
  const auto other = read(5, 5);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Mismatch);
}

TEST(StreamDecoder, ReportsMissingData) {
  auto decoder =
      StreamDecoder::create(DType::Int4Block, {8}, Quantization{8, DType::F16, 4, false}, 10, 50);
  ASSERT_TRUE(decoder);
  const Payload start = hex("06 08 00 01 00");
  Bytes chunk(start);
  std::vector<float> out(8);
  ASSERT_TRUE(decoder->decode(chunk, out));
  const auto finished = decoder->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::Truncated);
  EXPECT_EQ(finished.error().byte_offset, 55U);
}

TEST(StreamDecoder, ReadsTheBlocksOfOtherFormatsInAnyPieces) {
  for (const DType dtype :
       {DType::Q4_0, DType::Q5_1, DType::Q8_0, DType::Q6_K, DType::Q8_K, DType::F8E4M3}) {
    const Block block = block_of(dtype);
    Payload payload(size_t{block.bytes} * 3);
    for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<uint8_t>(i * 37 % 60);
    const Shape shape{3, block.elements};
    std::vector<float> expected(size_t{block.elements} * 3);
    ASSERT_TRUE(decode_blocks(dtype, payload, expected));
    for (const size_t step : {size_t{1}, size_t{5}, size_t{40}, SIZE_MAX}) {
      for (const size_t room : {size_t{1}, size_t{33}, size_t{1000}}) {
        const auto all = decoded(dtype, shape, {}, payload, step, room);
        ASSERT_TRUE(all) << describe(all.error());
        EXPECT_EQ(*all, expected) << dtype_name(dtype) << " " << step << " " << room;
      }
    }
  }
  EXPECT_EQ(StreamDecoder::create(DType::Q4_0, {2, 16}, {}, 36).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(StreamDecoder::create(DType::Q4_0, {33}, {}, 18).error().code, ErrorCode::Mismatch);
  const auto refused = StreamDecoder::create(DType::F4, {256}, {}, 128);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().message, "values of f4 cannot be read");
}

TEST(StreamDecoder, DoesNotReadPastTheTensor) {
  auto decoder = StreamDecoder::create(DType::F16, {1}, {}, 2);
  const Payload bytes = hex("00 3C AA BB");
  Bytes chunk(bytes);
  std::vector<float> out(8);
  EXPECT_EQ(*decoder->decode(chunk, out), 1U);
  EXPECT_EQ(chunk.size(), 2U);
  EXPECT_TRUE(decoder->finish());
}

}  // namespace
}  // namespace ambry::tensor
