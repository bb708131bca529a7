#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/half.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/codes/codes.h"
#include "tensor/codec/decode_payload.h"
#include "tensor/codec/encode.h"
#include "tensor/codec/reference_codec.h"
#include "tensor/codec/stream_decoder.h"
#include "tensor/dtype/convert.h"

namespace ambry::tensor {
namespace {

// core/formats/amb/README.md#check-vectors
TEST(CheckVectors, Int4Block) {
  const float x[] = {-8, -7, 0, 1, 2, 3, 7, 7};
  const auto encoded = encode(DType::Int4Block, {8}, x, {.block_size = 8});
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->payload, hex("06 08 00 01 | 00 3C | 98 10 32 77"));
  EXPECT_EQ(values_of(DType::Int4Block, {8}, *encoded), std::vector<float>(x, x + 8));
}

// Element i lies at bits 5i to 5i + 4.
TEST(CheckVectors, Int5Codes) {
  const int8_t codes[] = {-16, -1, 0, 1, 2, 3, 14, 15};
  Payload packed(5);
  pack_codes(DType::Int5, codes, 8, packed.data());
  EXPECT_EQ(packed, hex("F0 83 20 86 7B"));
  std::vector<float> unpacked(8);
  unpack_codes(DType::Int5, packed.data(), 8, unpacked.data());
  EXPECT_EQ(unpacked, std::vector<float>(codes, codes + 8));
}

TEST(CheckVectors, Int5Block) {
  const float x[] = {-16, -1, 0, 1, 2, 3, 14, 15};
  const auto encoded = encode(DType::Int5Block, {1, 8}, x, {.block_size = 8});
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->payload, hex("07 08 00 01 | 00 3C | F0 83 20 86 7B"));
}

// Worked by hand from core/formats/amb/README.md#quantized-payloads.
TEST(CheckVectors, OtherTypesByHand) {
  const float x[] = {-127, 64, 1};
  EXPECT_EQ(encode(DType::Int8, {3}, x, {})->payload, hex("03 00 00 01 | 00 3C | 81 40 01"));
  EXPECT_EQ(encode(DType::Int8, {3}, x, {.scale_type = DType::F32})->payload,
            hex("03 00 00 00 | 00 00 80 3F | 81 40 01"));
  const float y[] = {-8, 7, 1, -16, 2, 4};  // two rows of three codes and a half byte of padding
  EXPECT_EQ(encode(DType::Int4, {2, 3}, y, {.block_size = 3})->payload,
            hex("04 03 00 01 | 00 3C 00 40 | 78 01 18 02"));
  const float z[] = {-16, 15, 1};
  EXPECT_EQ(encode(DType::Int5, {1, 3}, z, {})->payload, hex("05 00 00 01 | 00 3C | F0 05"));
}

TEST(CheckVectors, Adaptive) {
  std::vector<float> x(24);
  x[0] = 1.5;   // block 0: F16
  x[8] = -8;    // block 1: INT4
  x[16] = -16;  // block 2: INT5
  const DType precisions[] = {DType::F16, DType::Int4, DType::Int5};
  const auto encoded =
      encode(DType::Adaptive, {24}, x, {.block_size = 8, .precisions = precisions});
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->payload,
            hex("08 08 00 01 | 01 04 05 | 00 3C 00 3C 00 3C |"
                "00 3E 00 00 00 00 00 00 00 00 00 00 00 00 00 00 | 08 00 00 00 | 10 00 00 00 00"));
  EXPECT_EQ(values_of(DType::Adaptive, {24}, *encoded), x);
}

// core/formats/amb/README.md#block-sizes, and the sizes of whole payloads.
TEST(PayloadLayout, HasTheSizesOfThePage) {
  const auto size = [](DType dtype, const Shape& shape, uint16_t block, DType scale = DType::F16,
                       bool across = false) {
    const auto layout = payload_layout(dtype, shape, {block, scale, 4, across});
    EXPECT_TRUE(layout) << describe(layout.error());
    return layout ? layout->min_bytes : 0;
  };
  EXPECT_EQ(size(DType::Int4Block, {1, 32}, 32), 4 + 18U);
  EXPECT_EQ(size(DType::Int4Block, {1, 128}, 128), 4 + 66U);
  EXPECT_EQ(size(DType::Int5Block, {1, 32}, 32), 4 + 22U);
  EXPECT_EQ(size(DType::Int5Block, {1, 128}, 128), 4 + 82U);
  EXPECT_EQ(size(DType::Int4Block, {1, 32}, 32, DType::F32), 4 + 20U);
  EXPECT_EQ(size(DType::Int8, {3, 5}, 0), 4 + 2 + 15U);
  EXPECT_EQ(size(DType::Int8, {3, 5}, 5), 4 + 6 + 15U);
  EXPECT_EQ(size(DType::Int8, {3, 5}, 2), 4 + 18 + 15U);
  EXPECT_EQ(size(DType::Int4, {3, 5}, 0), 4 + 2 + 9U);
  EXPECT_EQ(size(DType::Int5, {3, 5}, 0), 4 + 2 + 12U);
  EXPECT_EQ(size(DType::Int4, {}, 0), 4 + 2 + 1U);
  // Blocks of rows of 20, or of the flattened 60.
  EXPECT_EQ(size(DType::Int4Block, {3, 20}, 8), 4 + 9 * 6U);
  EXPECT_EQ(size(DType::Int4Block, {3, 20}, 8, DType::F16, true), 4 + 8 * 6U);
  EXPECT_EQ(size(DType::Int4Block, {2, 3, 20}, 8), 4 + 18 * 6U);
  const auto adaptive = payload_layout(DType::Adaptive, {2, 20}, {8, DType::F16, 4, false});
  ASSERT_TRUE(adaptive);
  EXPECT_EQ(adaptive->min_bytes, 4 + 6 + 12 + 6 * 4U);
  EXPECT_EQ(adaptive->max_bytes, 4 + 6 + 12 + 6 * 16U);
}

TEST(PayloadLayout, RejectsInvalidShapesAndBlocks) {
  const auto path = [](DType dtype, const Shape& shape, Quantization how) {
    const auto layout = payload_layout(dtype, shape, how);
    return layout ? "" : layout.error().path;
  };
  EXPECT_EQ(path(DType::Int4Block, {8}, {0, DType::F16, 4, false}), "block_size");
  EXPECT_EQ(path(DType::Int4Block, {8}, {3, DType::F16, 4, false}), "block_size");
  EXPECT_EQ(path(DType::Int5Block, {8}, {12, DType::F16, 4, false}), "block_size");
  EXPECT_EQ(path(DType::Adaptive, {8}, {4, DType::F16, 4, false}), "block_size");
  EXPECT_EQ(path(DType::Int8, {8}, {0, DType::BF16, 4, false}), "scale_type");
  EXPECT_EQ(path(DType::Int8, {UINT32_MAX, UINT32_MAX, 2}, {}), "shape");
  EXPECT_EQ(
      path(DType::Int4Block, {UINT32_MAX, UINT32_MAX / 512, 1}, {65534, DType::F16, 4, false}),
      "shape");
}

struct Case {
  DType dtype;
  int disk_type;
  Shape shape;
  uint16_t block;
  DType scale;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const Shape kShapes[] = {{1}, {7}, {64}, {3, 5}, {2, 16}, {5, 33}, {2, 3, 40}, {1, 1}};
  for (const Shape& shape : kShapes) {
    for (const DType scale : {DType::F16, DType::F32}) {
      for (const uint16_t block : std::initializer_list<uint16_t>{0, 1, 3, 5, 8, 32, 300}) {
        all.push_back({DType::Int8, 3, shape, block, scale});
        all.push_back({DType::Int4, 4, shape, block, scale});
        all.push_back({DType::Int5, 5, shape, block, scale});
      }
      for (const uint16_t block : std::initializer_list<uint16_t>{2, 6, 32})
        all.push_back({DType::Int4Block, 6, shape, block, scale});
      for (const uint16_t block : std::initializer_list<uint16_t>{8, 32}) {
        all.push_back({DType::Int5Block, 7, shape, block, scale});
        all.push_back({DType::Adaptive, 8, shape, block, scale});
      }
    }
  }
  return all;
}

std::vector<DType> some_precisions(const Case& c) {
  if (c.dtype != DType::Adaptive) return {};
  const auto layout = payload_layout(c.dtype, c.shape, {c.block, c.scale, 4, false});
  constexpr DType kAll[] = {DType::Int4, DType::F16, DType::Int5, DType::Int8};
  std::vector<DType> precisions;
  for (size_t i = 0; i < layout->n_mask; ++i) precisions.push_back(kAll[i % 4]);
  return precisions;
}

// Every type, block size and scale type: what is encoded decodes as the formulas say, whatever the
// chunks and the room, and lies within half a step of the input.
TEST(Codec, DecodesWhatItEncodesInChunksOfAnySize) {
  uint32_t seed = 1;
  for (const Case& c : cases()) {
    const auto count = static_cast<size_t>(*c.shape.count());
    const std::vector<float> values = random_values(count, seed++, 3);
    const auto precisions = some_precisions(c);
    const auto encoded =
        encode(c.dtype, c.shape, values,
               {.block_size = c.block, .scale_type = c.scale, .precisions = precisions});
    ASSERT_TRUE(encoded) << describe(encoded.error());
    const auto layout = payload_layout(c.dtype, c.shape, encoded->quantization);
    EXPECT_GE(encoded->payload.size(), layout->min_bytes);
    EXPECT_LE(encoded->payload.size(), layout->max_bytes);
    const std::vector<float> all = values_of(c.dtype, c.shape, *encoded);
    ASSERT_EQ(all.size(), count);
    for (const size_t step : std::initializer_list<size_t>{1, 2, 3, 7, 64}) {
      for (const size_t room : std::initializer_list<size_t>{1, 3, 8, 100}) {
        const auto again =
            decoded(c.dtype, c.shape, encoded->quantization, encoded->payload, step, room);
        ASSERT_TRUE(again) << describe(again.error());
        ASSERT_EQ(*again, all);
      }
    }
    const uint64_t cols = c.shape[c.shape.rank() - 1];
    const testing::ReferenceCodec reference{c.disk_type, count / cols,          cols,
                                            c.block,     c.scale == DType::F16, encoded->payload};
    // An INT4 step is an eighth of the extreme; the scale's rounding to F16 adds little, and the
    // largest code on the other side of zero is one step less.
    const float bound = 3.0F / 8 * 1.01F;
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(all[i], static_cast<float>(reference.element(i / cols, i % cols)));
      ASSERT_NEAR(all[i], values[i], bound);
    }
  }
}

TEST(Codec, ReadsBlocksAcrossRows) {
  const std::vector<float> values = random_values(60, 5);
  const auto flat = encode(DType::Int4Block, {60}, values, {.block_size = 8});
  ASSERT_TRUE(flat);
  Quantization how = flat->quantization;
  how.across_rows = true;
  const auto rows = decoded(DType::Int4Block, {3, 20}, how, flat->payload);
  ASSERT_TRUE(rows);
  EXPECT_EQ(*rows, values_of(DType::Int4Block, {60}, *flat));
}

TEST(Codec, ReadsPayloadsWithoutPrefix) {
  const std::vector<float> values = random_values(16, 6);
  for (const DType dtype : {DType::Int8, DType::Int4Block}) {
    const auto encoded = encode(dtype, {16}, values, {.block_size = 8});
    ASSERT_TRUE(encoded);
    Quantization how = encoded->quantization;
    how.prefix_bytes = 0;
    const Payload bare(encoded->payload.begin() + 4, encoded->payload.end());
    const auto read = decoded(dtype, {16}, how, bare, 1);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, values_of(dtype, {16}, *encoded));
  }
}

TEST(Codec, ReadsPlainTypes) {
  const float values[] = {1, -2.5, 0.25, 1024};
  for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
    Payload payload(4 * dtype_size(dtype));
    ASSERT_TRUE(from_f32(dtype, values, payload));
    for (const size_t step : std::initializer_list<size_t>{1, 3, 5, 100}) {
      for (const size_t room : std::initializer_list<size_t>{1, 2, 10}) {
        const auto read = decoded(dtype, {2, 2}, {}, payload, step, room);
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, std::vector<float>(values, values + 4));
      }
    }
  }
}

// The element of largest magnitude is exact.
TEST(Encode, KeepsTheSignedExtreme) {
  const float x[] = {0.1F, 0.8F, -0.3F, 0.2F, 0, 0, 0, 0};
  for (const DType dtype : {DType::Int4Block, DType::Int5Block}) {
    const auto encoded = encode(dtype, {8}, x, {.block_size = 8, .scale_type = DType::F32});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(values_of(dtype, {8}, *encoded)[1], 0.8F);
  }
}

TEST(Encode, GivesABlockOfZerosAScaleOfZero) {
  const std::vector<float> zeros(8);
  EXPECT_EQ(encode(DType::Int4Block, {8}, zeros, {.block_size = 8})->payload,
            hex("06 08 00 01 | 00 00 | 00 00 00 00"));
}

// Half to even, against the scale that is stored: 0.0996 is 0x2E60 (0.099609375) in F16.
TEST(Encode, RoundsHalfToEvenAgainstTheStoredScale) {
  const float halves[] = {-8, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F, 3.5F};
  const auto encoded = encode(DType::Int4Block, {8}, halves, {.block_size = 8});
  EXPECT_EQ(values_of(DType::Int4Block, {8}, *encoded),
            (std::vector<float>{-8, 0, 2, 2, 0, -2, -2, 4}));

  const float stored = f16_to_f32(f32_to_f16(0.8F / -8));
  const float x = 3.5F * std::abs(stored) * 1.00001F;  // above 3.5 steps of the stored scale only
  const float values[] = {0.8F, x, 0, 0, 0, 0, 0, 0};
  const auto by_half = encode(DType::Int4Block, {8}, values, {.block_size = 8});
  EXPECT_EQ(values_of(DType::Int4Block, {8}, *by_half)[1], 4 * std::abs(stored));
}

// core/formats/amb/README.md#scale-type
TEST(Encode, TurnsToF32ScalesWhereF16OverflowsOrVanishes) {
  for (const float size : {1e9F, 1e-9F}) {
    const float x[] = {size, -size / 2, 0, 0, 0, 0, 0, 0};
    const auto encoded = encode(DType::Int4Block, {8}, x, {.block_size = 8});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->quantization.scale_type, DType::F32);
    EXPECT_EQ(encoded->payload[3], 0);
    EXPECT_EQ(values_of(DType::Int4Block, {8}, *encoded)[0], size);
    const auto forced =
        encode(DType::Int4Block, {8}, x, {.block_size = 8, .scale_type = DType::F16});
    ASSERT_FALSE(forced);
    EXPECT_EQ(forced.error().code, ErrorCode::Overflow);
  }
}

TEST(Encode, KeepsTheSmallestSubnormals) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float x[] = {tiny, -tiny, 0};
  for (const DType dtype : {DType::Int8, DType::Int4, DType::Int5}) {
    const auto encoded = encode(dtype, {3}, x, {});
    ASSERT_TRUE(encoded);
    EXPECT_EQ(values_of(dtype, {3}, *encoded), std::vector<float>(x, x + 3));
  }
}

TEST(Encode, RefusesNanAndInfinity) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    const float x[] = {0, 1, bad};
    const auto encoded = encode(DType::Int8, {3}, x, {});
    ASSERT_FALSE(encoded);
    EXPECT_EQ(encoded.error().code, ErrorCode::BadValue);
    EXPECT_EQ(encoded.error().path, "element 2");
  }
}

TEST(Encode, RefusesPrecisionsThatDoNotFit) {
  const std::vector<float> x(16, 1e6F);
  const auto with = [&](std::vector<DType> precisions) {
    return encode(DType::Adaptive, {16}, x, {.block_size = 8, .precisions = precisions});
  };
  EXPECT_EQ(with({DType::F16}).error().path, "precisions");
  EXPECT_EQ(with({DType::F16, DType::F32}).error().path, "precisions");
  EXPECT_EQ(with({DType::Int8, DType::F16}).error().code, ErrorCode::Overflow);  // 1e6 is past F16
}

}  // namespace
}  // namespace ambry::tensor
