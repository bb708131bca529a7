#include "search/rows/row_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "search/make_rows.h"

namespace ambry::search {
namespace {

RowIndex small_index(RowKind kind) {
  RowIndex index = RowIndex::create(3, kind).value();
  const std::vector<float> rows = {1, 0, 0, 0, 1, 0, 0.6F, 0.8F, 0};
  EXPECT_TRUE(index.append(rows));
  return index;
}

std::vector<Hit> search(const RowIndex& index, const std::vector<float>& query, size_t k) {
  return index.search(query, {}, k).value();
}

TEST(VectorIndexTest, FindsRows) {
  const RowIndex index = small_index(RowKind::F32);
  EXPECT_EQ(index.size(), 3U);
  const auto hits = search(index, {0, 1, 0}, 2);
  EXPECT_EQ(hits, (std::vector<Hit>{{1, 1.0F, 1.0F}, {2, 0.8F, 0.8F}}));
}

TEST(VectorIndexTest, FindsInt8Rows) {
  const RowIndex index = small_index(RowKind::Int8);
  EXPECT_EQ(index.size(), 3U);
  const auto hits = search(index, {0, 1, 0}, 2);
  EXPECT_EQ(rows_of(hits), (std::vector<uint32_t>{1, 2}));
  EXPECT_NEAR(hits[0].score, 1, 1e-6);
  EXPECT_NEAR(hits[1].score, 0.8, 1e-6);
}

// Every value of a row is off by at most half a step, and a step is 1/127 of the largest.
TEST(VectorIndexTest, RoundsEveryValueToTheNearestByte) {
  constexpr uint32_t kDim = 50;
  TestRandom random(5);
  const std::vector<float> row = random.floats(kDim);
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::abs(x));
  RowIndex index = RowIndex::create(kDim, RowKind::Int8).value();
  ASSERT_TRUE(index.append(row));
  for (size_t i = 0; i < kDim; ++i) {
    std::vector<float> only(kDim);
    only[i] = 1;
    EXPECT_NEAR(search(index, only, 1)[0].score, row[i], largest / 254 + 1e-7) << i;
  }
}

TEST(VectorIndexTest, RoundsTiesToEven) {
  RowIndex index = RowIndex::create(4, RowKind::Int8).value();
  ASSERT_TRUE(index.append(std::vector<float>{127, 2.5F, 3.5F, -2.5F}));
  const std::vector<float> expected = {127, 2, 4, -2};
  for (size_t i = 0; i < expected.size(); ++i) {
    std::vector<float> only(4);
    only[i] = 1;
    EXPECT_EQ(search(index, only, 1)[0].score, expected[i]);
  }
}

TEST(VectorIndexTest, RefusesRowsThatNoHeapHolds) {
  RowIndex index = RowIndex::create(kMaxDim, RowKind::F32).value();
  const float only = 1;
  // Memory is reserved before the values are read, so they need not exist.
  const size_t n_rows = std::min<uint64_t>(SIZE_MAX / sizeof(float) / index.dim(), UINT32_MAX);
  const auto appended = index.append({&only, n_rows * index.dim()});
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(appended.error().path, "memory");
  EXPECT_EQ(index.size(), 0U);
  EXPECT_TRUE(index.append(std::vector<float>(kMaxDim)));
}

class VectorIndexOfKind : public ::testing::TestWithParam<RowKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, VectorIndexOfKind, ::testing::Values(RowKind::F32, RowKind::Int8));

TEST_P(VectorIndexOfKind, KeepsItsRowsAsItGrows) {
  RowIndex index = RowIndex::create(2, GetParam()).value();
  for (int i = 0; i < 1000; ++i) {
    const float number = static_cast<float>(i);
    ASSERT_TRUE(index.append(std::vector<float>{number, -number}));
  }
  ASSERT_EQ(index.size(), 1000U);
  const auto hits = search(index, {1, 0}, 1000);
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(hits[i].row, 999 - i);
    EXPECT_NEAR(hits[i].score, static_cast<float>(999 - i), 1e-4);
  }
}

TEST_P(VectorIndexOfKind, AppendsAfterRetain) {
  RowIndex index = small_index(GetParam());
  ASSERT_TRUE(index.retain(std::vector<uint8_t>{0, 1, 1}));
  EXPECT_EQ(index.size(), 2U);
  EXPECT_EQ(rows_of(search(index, {1, 0, 0}, 9)), (std::vector<uint32_t>{1, 0}));
  ASSERT_TRUE(index.append(std::vector<float>{0.9F, 0, 0}));
  EXPECT_EQ(rows_of(search(index, {1, 0, 0}, 9)), (std::vector<uint32_t>{2, 1, 0}));
  ASSERT_TRUE(index.retain(std::vector<uint8_t>{0, 0, 0}));
  EXPECT_EQ(index.size(), 0U);
  EXPECT_TRUE(search(index, {1, 0, 0}, 9).empty());
}

TEST_P(VectorIndexOfKind, AppendsAfterLoad) {
  const RowIndex saved = small_index(GetParam());
  const IndexPieces pieces = saved.save({}).value();
  AlignedBuffer file = AlignedBuffer::allocate(pieces.head_size + pieces.rows.size() + 4).value();
  uint8_t* to = std::ranges::copy(pieces.head(), file.data()).out;
  to = std::ranges::copy(pieces.rows, to).out;
  std::ranges::copy(pieces.tail(), to);
  RowIndex index = RowIndex::load(std::move(file)).value();
  EXPECT_EQ(index.kind(), GetParam());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(index.append(std::vector<float>{0, 0, 1}));
  EXPECT_EQ(index.size(), 103U);
  EXPECT_EQ(index.origin().header.size(), 0U);
  EXPECT_EQ(rows_of(search(index, {1, 0, 0}, 3)), (std::vector<uint32_t>{0, 2, 1}));
}

TEST_P(VectorIndexOfKind, RefusesBadArguments) {
  EXPECT_EQ(RowIndex::create(0, GetParam()).error().code, ErrorCode::BadValue);
  EXPECT_EQ(RowIndex::create(kMaxDim + 1, GetParam()).error().path, "dim");
  RowIndex index = small_index(GetParam());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(index.append(std::vector<float>(4, 0.0F)).error().path, "rows");
  EXPECT_EQ(index.append(std::vector<float>{0, 0, 0, 0, nan, 0}).error().path, "rows[1]");
  EXPECT_EQ(index.retain(std::vector<uint8_t>(2)).error().path, "marks");
  EXPECT_EQ(index.size(), 3U);
  const std::vector<float> query(3, 0.0F);
  EXPECT_EQ(index.search(std::vector<float>(2), {}, 1).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(index.search(query, std::vector<float>(4), 1).error().path, "bias");
  EXPECT_EQ(index.search(std::vector<float>{0, nan, 0}, {}, 1).error().code, ErrorCode::BadValue);
}

}  // namespace
}  // namespace ambry::search
