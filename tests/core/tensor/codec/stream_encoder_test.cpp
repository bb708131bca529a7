#include "tensor/codec/stream_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tensor/codec/encode.h"

namespace ambry::tensor {
namespace {

std::vector<float> mixed_values(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  // Multiples of an eighth among them, so that quotients lie halfway between codes.
  for (float& v : values) {
    const float step = static_cast<float>(random() >> 8) / static_cast<float>(1 << 22) - 2;
    v = random() % 2 == 0 ? step : std::nearbyint(step * 8) / 8;
  }
  return values;
}

struct StreamCase {
  DType dtype;
  Shape shape;
  uint16_t block;
};

std::vector<StreamCase> stream_cases() {
  std::vector<StreamCase> all;
  const Shape kShapes[] = {{1}, {64}, {3, 5}, {5, 33}, {2, 3, 40}, {9, 1}};
  for (const Shape& shape : kShapes) {
    for (const DType dtype : {DType::Int8, DType::Int4, DType::Int5}) {
      for (const uint16_t block : std::initializer_list<uint16_t>{0, 1, 5, 8, 32})
        all.push_back({dtype, shape, block});
    }
    for (const uint16_t block : std::initializer_list<uint16_t>{8, 32}) {
      for (const DType dtype : {DType::Int4Block, DType::Int5Block, DType::Adaptive}) {
        all.push_back({dtype, shape, block});
      }
    }
  }
  return all;
}

std::vector<DType> stream_precisions(const StreamCase& c) {
  if (c.dtype != DType::Adaptive) return {};
  const auto layout = payload_layout(c.dtype, c.shape, {c.block, DType::F16, 4, false});
  constexpr DType kAll[] = {DType::Int4, DType::F16, DType::Int5, DType::Int8};
  std::vector<DType> precisions;
  for (size_t i = 0; i < layout->n_mask; ++i) precisions.push_back(kAll[i % 4]);
  return precisions;
}

using Pass = Result<void> (*)(StreamEncoder&, std::span<const float>, std::vector<uint8_t>&);

Result<void> in_chunks(StreamEncoder& encoder, std::span<const float> values, size_t step,
                       std::vector<uint8_t>& payload, Pass pass) {
  for (size_t at = 0; at < values.size(); at += step) {
    const size_t n = std::min(step, values.size() - at);
    AMBRY_RETURN_IF_ERROR(pass(encoder, values.subspan(at, n), payload));
  }
  return {};
}

Result<void> measure(StreamEncoder& encoder, std::span<const float> chunk, std::vector<uint8_t>&) {
  return encoder.measure(chunk);
}

Result<void> code(StreamEncoder& encoder, std::span<const float> chunk,
                  std::vector<uint8_t>& payload) {
  AMBRY_TRY(const Bytes codes, encoder.encode(chunk));
  payload.insert(payload.end(), codes.begin(), codes.end());
  return {};
}

// Chunks of `first` elements in the first pass, of `second` in the second.
Result<std::vector<uint8_t>> streamed(const StreamCase& c, std::span<const float> values,
                                      size_t first, size_t second,
                                      std::optional<DType> scale_type = {}) {
  AMBRY_TRY(StreamEncoder encoder, StreamEncoder::create(c.dtype, c.shape, c.block, scale_type));
  std::vector<uint8_t> payload;
  if (encoder.needs_measuring())
    AMBRY_RETURN_IF_ERROR(in_chunks(encoder, values, first, payload, measure));
  AMBRY_RETURN_IF_ERROR(encoder.settle(stream_precisions(c)));
  payload.assign(encoder.head().begin(), encoder.head().end());
  AMBRY_RETURN_IF_ERROR(in_chunks(encoder, values, second, payload, code));
  EXPECT_EQ(payload.size(), encoder.total_bytes());
  return payload;
}

TEST(StreamEncoder, MakesTheSameBytesInChunksOfAnySize) {
  uint32_t seed = 1;
  for (const StreamCase& c : stream_cases()) {
    const std::vector<float> values = mixed_values(static_cast<size_t>(*c.shape.count()), seed++);
    const auto precisions = stream_precisions(c);
    const auto whole =
        encode(c.dtype, c.shape, values, {.block_size = c.block, .precisions = precisions});
    ASSERT_TRUE(whole) << describe(whole.error());
    for (const size_t first : std::initializer_list<size_t>{1, 7, 64}) {
      for (const size_t second : std::initializer_list<size_t>{1, 3, 8, 31, 1000}) {
        const auto payload = streamed(c, values, first, second);
        ASSERT_TRUE(payload) << describe(payload.error());
        ASSERT_EQ(*payload, whole->payload);
      }
    }
  }
}

TEST(StreamEncoder, TakesBlocksWithScalesOfAKnownTypeInOnePass) {
  const std::vector<float> values = mixed_values(80, 3);
  const StreamCase c{DType::Int4Block, {2, 40}, 32};
  const auto known = StreamEncoder::create(c.dtype, c.shape, c.block, DType::F16);
  ASSERT_TRUE(known);
  EXPECT_FALSE(known->needs_measuring());
  EXPECT_TRUE(StreamEncoder::create(c.dtype, c.shape, c.block, {})->needs_measuring());
  EXPECT_TRUE(StreamEncoder::create(DType::Int8, c.shape, 32, DType::F16)->needs_measuring());
  EXPECT_EQ(*streamed(c, values, 80, 7, DType::F16),
            encode(c.dtype, c.shape, values, {.block_size = 32})->payload);
}

TEST(StreamEncoder, NamesTheElementThatIsNotFinite) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    std::vector<float> values(80, 1.0F);
    values[45] = bad;
    for (const size_t step : std::initializer_list<size_t>{1, 10, 80}) {
      for (const DType dtype : {DType::Int8, DType::Int4Block}) {
        const auto measured = streamed({dtype, {2, 40}, 8}, values, step, 80);
        ASSERT_FALSE(measured);
        EXPECT_EQ(measured.error().code, ErrorCode::BadValue);
        EXPECT_EQ(measured.error().path, "element 45");
      }
      const auto coded = streamed({DType::Int4Block, {2, 40}, 8}, values, 80, step, DType::F16);
      ASSERT_FALSE(coded);
      EXPECT_EQ(coded.error().path, "element 45");
    }
  }
}

TEST(StreamEncoder, RefusesAScaleThatDoesNotFitTheChosenType) {
  std::vector<float> values(32, 1.0F);
  values[20] = 1e9F;
  for (const DType dtype : {DType::Int8, DType::Int4Block}) {
    const auto refused = streamed({dtype, {32}, 8}, values, 32, 32, DType::F16);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Overflow);
    EXPECT_EQ(refused.error().path, "scale_type");
    EXPECT_EQ(refused.error().message, "the scale of block 2 does not fit into f16");
  }
}

TEST(StreamEncoder, NamesTheElementThatDoesNotFitAnF16Block) {
  std::vector<float> values(16, 1.0F);
  values[11] = 1e6F;
  auto encoder = StreamEncoder::create(DType::Adaptive, {16}, 8, {});
  ASSERT_TRUE(encoder);
  ASSERT_TRUE(encoder->measure(values));
  const DType precisions[] = {DType::Int4, DType::F16};
  ASSERT_TRUE(encoder->settle(precisions));
  const auto coded = encoder->encode(values);
  ASSERT_FALSE(coded);
  EXPECT_EQ(coded.error().path, "element 11");
}

}  // namespace
}  // namespace ambry::tensor
