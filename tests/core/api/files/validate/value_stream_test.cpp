#include "api/files/validate/value_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tensor/codec/blocks/blocks.h"

namespace ambry::api {
namespace {

std::vector<float> numbers_of(const model::TensorEntry& tensor, Bytes bytes, size_t piece) {
  auto stream = ValueStream::create(tensor);
  EXPECT_TRUE(stream);
  std::vector<float> numbers;
  for (size_t i = 0; i < bytes.size(); i += piece) {
    EXPECT_TRUE(stream->pass(bytes.subspan(i, std::min(piece, bytes.size() - i)),
                             [&](std::span<const float> run) {
                               numbers.insert(numbers.end(), run.begin(), run.end());
                             }));
  }
  return numbers;
}

model::TensorEntry entry(tensor::DType dtype, uint64_t count, uint64_t bytes) {
  model::TensorEntry tensor;
  tensor.name = "t";
  tensor.dtype = dtype;
  tensor.shape = {count};
  tensor.bytes = bytes;
  return tensor;
}

TEST(ValueStream, JoinsBlocksThatSpanChunks) {
  std::vector<uint8_t> bytes(size_t{18} * 40);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i % 59);
  const model::TensorEntry tensor = entry(tensor::DType::Q4_0, 32 * 40, bytes.size());
  std::vector<float> expected(size_t{32} * 40);
  ASSERT_TRUE(tensor::decode_blocks(tensor.dtype, bytes, expected));
  for (const size_t piece : {1U, 17U, 18U, 19U, 100U, 1000U}) {
    EXPECT_EQ(numbers_of(tensor, bytes, piece), expected) << piece;
  }
}

TEST(ValueStream, WidensPlainTypes) {
  const std::vector<uint8_t> bytes = {0x00, 0x3C, 0x00, 0xC0, 0x01, 0x00};
  const model::TensorEntry tensor = entry(tensor::DType::F16, 3, bytes.size());
  for (const size_t piece : {1U, 2U, 3U, 6U}) {
    EXPECT_EQ(numbers_of(tensor, bytes, piece), (std::vector<float>{1.0F, -2.0F, 0x1p-24F}));
  }
}

TEST(ValueStream, ReportsUnsupportedTypes) {
  const auto stream = ValueStream::create(entry(tensor::DType::F4, 256, 128));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(stream.error().path, "t");
}

}  // namespace
}  // namespace ambry::api
