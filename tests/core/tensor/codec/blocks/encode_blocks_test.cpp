#include "tensor/codec/blocks/encode_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::tensor {
namespace {

constexpr DType kTypes[] = {DType::Q8_0, DType::Q2_K, DType::Q3_K,
                            DType::Q4_K, DType::Q5_K, DType::Q6_K};
// Types whose scales are searched.
constexpr auto kSearched = std::span(kTypes).subspan(1);

// Like weights: mostly small, a few large.
std::vector<float> weights(size_t n, uint32_t seed, float size = 0.02F) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, size);
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = normal(random) * (i % 97 == 0 ? 4.0F : 1.0F);
  return values;
}

std::vector<float> round_trip(DType dtype, const std::vector<float>& values,
                              std::span<const float> importance = {}) {
  const Block block = block_of(dtype);
  std::vector<uint8_t> bytes(values.size() / block.elements * block.bytes, 0xAA);
  const auto encoded = encode_blocks(dtype, values, bytes, importance);
  EXPECT_TRUE(encoded) << describe(encoded.error());
  std::vector<float> decoded(values.size());
  EXPECT_TRUE(decode_blocks(dtype, bytes, decoded));
  return decoded;
}

double relative_error(const std::vector<float>& before, const std::vector<float>& after) {
  double difference = 0;
  double norm = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    difference += std::pow(double{before[i]} - double{after[i]}, 2);
    norm += std::pow(double{before[i]}, 2);
  }
  return std::sqrt(difference / norm);
}

TEST(EncodeBlocks, LosesLittle) {
  const std::vector<float> values = weights(size_t{256} * 64, 1);
  EXPECT_LT(relative_error(values, round_trip(DType::Q8_0, values)), 0.0075);
  EXPECT_LT(relative_error(values, round_trip(DType::Q6_K, values)), 0.0215);
  EXPECT_LT(relative_error(values, round_trip(DType::Q5_K, values)), 0.0385);
  EXPECT_LT(relative_error(values, round_trip(DType::Q4_K, values)), 0.0780);
  EXPECT_LT(relative_error(values, round_trip(DType::Q3_K, values)), 0.165);
  EXPECT_LT(relative_error(values, round_trip(DType::Q2_K, values)), 0.32);
}

// A search that fits the scales beats the scales of the extremes.
TEST(EncodeBlocks, BeatsTheScaleOfTheExtremes) {
  const std::vector<float> values = weights(size_t{256} * 16, 2);
  std::vector<float> plain(values.size());
  for (size_t at = 0; at < values.size(); at += 32) {
    const auto [least, most] = std::minmax_element(&values[at], &values[at] + 32);
    const float scale = (*most - *least) / 15;
    for (size_t i = at; i < at + 32; ++i) {
      plain[i] = std::round((values[i] - *least) / scale) * scale + *least;
    }
  }
  EXPECT_LT(relative_error(values, round_trip(DType::Q4_K, values)), relative_error(values, plain));
}

TEST(EncodeBlocks, KeepsWhatTheTypeCanSay) {
  for (const DType dtype : kTypes) {
    const std::vector<float> zeros(512, 0.0F);
    EXPECT_EQ(round_trip(dtype, zeros), zeros) << dtype_name(dtype);
    // All numbers of a block the same.
    for (const float value : {1.0F, -1.0F}) {
      const std::vector<float> same(256, value);
      for (const float got : round_trip(dtype, same)) {
        EXPECT_NEAR(got, value, 1e-3) << dtype_name(dtype);
      }
    }
  }
}

double stable_within(DType dtype) {
  if (dtype == DType::Q2_K) return 0.15;
  return dtype == DType::Q4_K || dtype == DType::Q3_K ? 0.02 : 0.01;
}

// What is encoded once stays: the search finds the scales again.
TEST(EncodeBlocks, IsStable) {
  for (const DType dtype : kTypes) {
    const std::vector<float> once = round_trip(dtype, weights(size_t{256} * 8, 3));
    EXPECT_LT(relative_error(once, round_trip(dtype, once)), stable_within(dtype))
        << dtype_name(dtype);
  }
}

// Scales that f16 holds as subnormals, or not at all.
TEST(EncodeBlocks, TakesSmallNumbers) {
  for (const DType dtype : kTypes) {
    for (const float size : {1e-4F, 1e-7F, 1e-20F, 1e-40F}) {
      const std::vector<float> values = weights(256, 4, size);
      const std::vector<float> got = round_trip(dtype, values);
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_LE(std::abs(got[i] - values[i]), size * 16) << dtype_name(dtype) << " " << size;
      }
    }
  }
}

double weighted_error(const std::vector<float>& before, const std::vector<float>& after,
                      const std::vector<float>& importance) {
  double sum = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    sum += double{importance[i % importance.size()]} *
           std::pow(double{before[i]} - double{after[i]}, 2);
  }
  return sum;
}

// Two rows share the importance of their 512 columns, of which a few count for most.
TEST(EncodeBlocks, WeighErrorsByImportance) {
  const std::vector<float> values = weights(1024, 6);
  std::vector<float> importance(512);
  for (size_t i = 0; i < importance.size(); ++i) importance[i] = i % 8 == 3 ? 1e-3F : 1e-6F;
  for (const DType dtype : kSearched) {
    const double without = weighted_error(values, round_trip(dtype, values), importance);
    const double with = weighted_error(values, round_trip(dtype, values, importance), importance);
    EXPECT_LT(with, 0.7 * without) << dtype_name(dtype);
  }
  EXPECT_EQ(round_trip(DType::Q8_0, values, importance), round_trip(DType::Q8_0, values));
}

TEST(EncodeBlocks, TakeAnyImportance) {
  const std::vector<float> values = weights(512, 7);
  for (const DType dtype : kSearched) {
    // A factor of all columns has no effect.
    const std::vector<float> ones = round_trip(dtype, values, std::vector<float>(256, 1.0F));
    EXPECT_EQ(round_trip(dtype, values, std::vector<float>(256, 0x1p100F)), ones);
    EXPECT_EQ(round_trip(dtype, values, std::vector<float>(256, 0x1p-140F)), ones);
    EXPECT_EQ(round_trip(dtype, values, std::vector<float>(256, 0.0F)), ones);
    // Columns that do not count are stored somehow, and the others well.
    std::vector<float> half(256, 0.0F);
    std::fill_n(half.begin(), 128, 1.0F);
    const std::vector<float> got = round_trip(dtype, values, half);
    for (const float value : got) EXPECT_TRUE(std::isfinite(value)) << dtype_name(dtype);
    EXPECT_LE(weighted_error(values, got, half), weighted_error(values, ones, half) * 1.05)
        << dtype_name(dtype);
  }
}

TEST(EncodeBlocks, RefusesImportanceOfPartsOfBlocks) {
  const std::vector<float> values(512);
  std::vector<uint8_t> bytes(288);
  const auto refused = encode_blocks(DType::Q4_K, values, bytes, std::vector<float>(300));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "importance");
}

TEST(EncodeBlocks, RefusesNumbersThatHaveNoScale) {
  for (const DType dtype : kTypes) {
    const Block block = block_of(dtype);
    std::vector<float> values = weights(size_t{block.elements} * 2, 5);
    std::vector<uint8_t> bytes(size_t{block.bytes} * 2);
    for (const float bad : {std::numeric_limits<float>::infinity(), 1e30F}) {
      values[block.elements + 3U] = bad;
      const auto refused = encode_blocks(dtype, values, bytes);
      ASSERT_FALSE(refused) << dtype_name(dtype) << " " << bad;
      EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
      EXPECT_EQ(refused.error().path, "values[" + std::to_string(block.elements + 3) + "]");
    }
  }
}

TEST(EncodeBlocks, RefusesOtherTypesAndPartsOfBlocks) {
  std::vector<float> values(256);
  std::vector<uint8_t> bytes(144);
  for (const DTypeRow& row : kDTypeTable) {
    EXPECT_EQ(can_encode_blocks(row.dtype), row.encoded) << row.name;
  }
  EXPECT_EQ(encode_blocks(DType::IQ4_XS, values, bytes).error().code, ErrorCode::Unsupported);
  EXPECT_EQ(encode_blocks(DType::Q4_K, std::span(values).first(255), bytes).error().code,
            ErrorCode::Mismatch);
  EXPECT_EQ(encode_blocks(DType::Q4_K, values, MutableBytes(bytes).first(143)).error().code,
            ErrorCode::Mismatch);
}

}  // namespace
}  // namespace ambry::tensor
