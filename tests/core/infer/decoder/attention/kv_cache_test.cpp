#include "infer/decoder/attention/kv_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/quantize/int8_rows.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

// Token `t` has keys t, t + 0.5 and values -t, -t - 0.5, of one head or of two.
void put(KvCache& cache, uint64_t first, size_t count) {
  std::vector<float> keys;
  std::vector<float> values;
  for (uint64_t t = first; t < first + count; ++t) {
    for (const float part : {0.0F, 0.5F}) {
      keys.push_back(static_cast<float>(t) + part);
      values.push_back(-keys.back());
    }
  }
  ASSERT_TRUE(cache.reserve(first, first + count));
  cache.put(first, count, keys.data(), values.data());
}

TEST(KvCache, KeepsItsContentsWhenItGrows) {
  for (const size_t n_heads : {1U, 2U}) {
    KvCache cache(KvType::F32, n_heads, 2 / n_heads, 1000);
    for (uint64_t t = 0; t < 300; t += 30) put(cache, t, 30);
    const auto view = cache.view<float>();
    const size_t second = n_heads == 1 ? 1 : view.page_rows;
    const size_t values = view.page_rows * 2;
    for (size_t t = 0; t < 300; ++t) {
      const float* page = view.pages[t / view.page_rows];
      const size_t at = t % view.page_rows * view.head_dim;
      ASSERT_EQ(page[at], static_cast<float>(t));
      ASSERT_EQ(page[values + at + second], -static_cast<float>(t) - 0.5F);
    }
    EXPECT_EQ(cache.bytes(), sizeof(float) * 2 * 320 * 2);
    EXPECT_EQ(cache.bytes(), cache.bytes_of(300));
  }
}

TEST(KvCache, OverwritesTheOldestRowsOfTheRing) {
  KvCache cache(KvType::F32, 1, 2, 10);
  put(cache, 0, 8);
  put(cache, 8, 7);
  EXPECT_EQ(cache.bytes(), sizeof(float) * 2 * 10 * 2);
  const auto view = cache.view<float>();
  EXPECT_EQ(view.n_rows, 10U);
  for (size_t t = 5; t < 15; ++t) EXPECT_EQ(view.pages[0][t % 10 * 2], static_cast<float>(t));
}

TEST(KvCache, F16TakesHalfTheMemory) {
  KvCache cache(KvType::F16, 1, 2, 10);
  put(cache, 0, 3);
  EXPECT_EQ(cache.bytes(), sizeof(uint16_t) * 2 * 10 * 2);
  EXPECT_EQ(cache.view<uint16_t>().pages[0][2 * 1 + 1], 0x3E00);  // 1.5
}

std::vector<uint8_t> token_of(const KvCache& cache, uint64_t position) {
  std::vector<uint8_t> bytes(static_cast<size_t>(cache.token_bytes()));
  cache.copy_token(position, bytes.data());
  return bytes;
}

TEST(KvCache, Int8HasAScaleForEachRowOfAHead) {
  KvCache cache(KvType::Int8, 2, 3, 10);
  EXPECT_EQ(cache.token_bytes(), 2U * 2 * (3 + 4));
  const std::vector<float> keys = {1, -2, 0.5F, 100, 0, 50};
  const std::vector<float> values = {0, 0, 0, -4, 4, 1};
  ASSERT_TRUE(cache.reserve(0, 1));
  cache.put(0, 1, keys.data(), values.data());
  EXPECT_EQ(cache.bytes(), 10 * cache.token_bytes());
  const auto view = cache.view<int8_t>();
  const auto* scales = reinterpret_cast<const float*>(view.pages[0]);
  EXPECT_EQ(scales[0], 2.0F / 127);
  EXPECT_EQ(scales[10], 100.0F / 127);
  EXPECT_EQ(scales[30], 4.0F / 127);
  const int8_t* codes =
      view.pages[0] + kernels::page_scale_bytes<int8_t>(view.n_heads, view.page_rows);
  EXPECT_EQ(codes[1], -127);
  EXPECT_EQ(codes[2], 32);
  EXPECT_EQ(codes[30], 127);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(codes[60 + i], 0);
}

TEST(KvCache, Int8IsOffByHalfAStepAtMost) {
  std::vector<float> row(37);
  for (size_t i = 0; i < row.size(); ++i) row[i] = std::sin(static_cast<float>(i * i));
  std::vector<int8_t> codes(row.size());
  std::vector<float> widened(row.size());
  const float scale = kernels::narrow_to_int8<simd::Best>(row, codes.data());
  kernels::widen_int8<simd::Best>(codes.data(), scale, widened);
  for (size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(widened[i], row[i], scale * 0.5001F);
  row[5] = std::numeric_limits<float>::infinity();
  const float bad = kernels::narrow_to_int8<simd::Best>(row, codes.data());
  kernels::widen_int8<simd::Best>(codes.data(), bad, widened);
  for (const float x : widened) EXPECT_TRUE(std::isnan(x));
}

TEST(KvCache, CopiesShareTheirPagesUntilOneWrites) {
  for (const KvType type : {KvType::F32, KvType::F16, KvType::Int8}) {
    KvCache first(type, 1, 2, 1000);
    put(first, 0, 100);
    KvCache second(first);
    const auto page = [&](const KvCache& cache, size_t i) {
      return static_cast<const void*>(cache.view<float>().pages[i]);
    };
    EXPECT_EQ(page(first, 0), page(second, 0));
    EXPECT_EQ(page(first, 1), page(second, 1));
    const auto before = token_of(first, 99);
    put(second, 100, 3);
    EXPECT_EQ(page(first, 0), page(second, 0));
    EXPECT_NE(page(first, 1), page(second, 1));
    put(first, 100, 1);
    EXPECT_EQ(token_of(first, 99), before);
    EXPECT_EQ(token_of(second, 99), before);
    EXPECT_EQ(token_of(second, 100), token_of(first, 100));
    const auto last = token_of(second, 102);
    put(first, 101, 100);
    EXPECT_EQ(token_of(second, 102), last);
  }
}

TEST(KvCache, AWrittenRingDoesNotChangeItsCopy) {
  KvCache first(KvType::F32, 1, 2, 70);
  put(first, 0, 70);
  const KvCache second(first);
  const auto oldest = token_of(second, 3);
  put(first, 70, 5);
  EXPECT_NE(token_of(first, 73), oldest);
  EXPECT_EQ(token_of(second, 3), oldest);
}

TEST(KvCache, TruncatingGivesPagesBack) {
  KvCache cache(KvType::F32, 1, 2, 1000);
  put(cache, 0, 300);
  cache.truncate(65);
  EXPECT_EQ(cache.bytes(), cache.bytes_of(65));
  const auto kept = token_of(cache, 64);
  put(cache, 65, 100);
  EXPECT_EQ(token_of(cache, 64), kept);
  cache.truncate(0);
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(KvCache, TokensAreCopiedAsTheyAreKept) {
  for (const KvType type : {KvType::F32, KvType::F16, KvType::Int8}) {
    KvCache from(type, 2, 1, 70);
    put(from, 0, 90);
    KvCache to(type, 2, 1, 70);
    ASSERT_TRUE(to.reserve(20, 90));
    for (uint64_t t = 20; t < 90; ++t) to.put_token(t, token_of(from, t).data());
    for (uint64_t t = 20; t < 90; ++t) ASSERT_EQ(token_of(to, t), token_of(from, t)) << t;
  }
}

}  // namespace
}  // namespace ambry::infer
