#include "infer/decoder/kv_cache.h"

#include <gtest/gtest.h>

#include <vector>

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
  ASSERT_TRUE(cache.reserve(first + count));
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

}  // namespace
}  // namespace ambry::infer
