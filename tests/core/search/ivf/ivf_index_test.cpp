#include "search/ivf/ivf_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "search/ivf/ivf_build.h"
#include "search/ivf/make_vectors.h"

namespace ambry::search {
namespace {

constexpr uint32_t kTestDim = 40;

IvfIndex index_of(const std::vector<float>& rows, RowKind kind) {
  IvfIndex index = IvfIndex::create(kTestDim, kind).value();
  EXPECT_TRUE(index.append(rows));
  return index;
}

IvfReach built(IvfIndex& index, uint32_t n_lists, Recall* measured = nullptr) {
  auto build = IvfBuild::begin(index, {.n_lists = n_lists}).value();
  uint32_t before = 0;
  while (build.step().value()) {
    EXPECT_GE(build.progress(), before);
    before = build.progress();
  }
  EXPECT_EQ(build.progress(), 1000U);
  if (measured != nullptr) *measured = build.measured();
  return build.reach();
}

class ListIndexTest : public ::testing::TestWithParam<RowKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ListIndexTest, ::testing::Values(RowKind::F32, RowKind::Int8));

TEST_P(ListIndexTest, FindsEachVectorByItself) {
  VectorMaker maker(kTestDim, 50);
  const std::vector<float> rows = maker.rows(2000, 0.5F);
  IvfIndex index = index_of(rows, GetParam());
  const IvfReach reach = built(index, 40);
  for (uint32_t i = 0; i < 2000; i += 97) {
    const auto query = std::span(rows).subspan(i * kTestDim, kTestDim);
    const auto hits = index.search(query, {.k = 3, .reach = reach}).value();
    ASSERT_EQ(hits.size(), 3U);
    EXPECT_EQ(hits[0].position, i);
    EXPECT_NEAR(hits[0].score, 1, GetParam() == RowKind::F32 ? 1e-5 : 0.01);
    EXPECT_EQ(position_in(index.rows().record(hits[0].row)), i);
    EXPECT_GE(hits[1].score, hits[2].score);
  }
}

TEST_P(ListIndexTest, ReadingAllListsWithAllCandidatesIsExact) {
  VectorMaker maker(kTestDim, 20);
  IvfIndex index = index_of(maker.rows(1500, 0.7F), GetParam());
  built(index, 30);
  for (const auto& query : {maker.rows(1, 0.7F), maker.rows(2, 2.0F)}) {
    const auto first = std::span(query).first(kTestDim);
    const auto found = index.search(first, {.k = 20, .reach = {30, 1500}}).value();
    EXPECT_EQ(found, index.search_all(first, {.k = 20}).value());
  }
}

TEST_P(ListIndexTest, ChoosesAReachThatFindsWhatWasAskedFor) {
  VectorMaker maker(kTestDim, 300);
  IvfIndex index = index_of(maker.rows(6000, 0.6F), GetParam());
  Recall measured;
  const IvfReach reach = built(index, 150, &measured);
  EXPECT_GE(measured.recall, 0.95);
  EXPECT_GT(measured.share, 0);
  EXPECT_LT(measured.share, 0.5);
  // Other queries find about as much.
  double found = 0;
  for (int i = 0; i < 100; ++i) {
    const auto query = maker.rows(1 + static_cast<size_t>(i), 0.6F);
    const auto last = std::span(query).last(kTestDim);
    const auto near = index.search(last, {.k = 10, .reach = reach}).value();
    const auto all = index.search_all(last, {.k = 10}).value();
    for (const IvfHit& hit : near) found += hit.score >= all.back().score ? 0.1 : 0;
  }
  EXPECT_GE(found / 100, 0.9);
}

TEST(IvfIndex, IsTheSameForEqualVectors) {
  VectorMaker maker(kTestDim, 20);
  const std::vector<float> rows = maker.rows(1200, 0.7F);
  IvfIndex one = index_of(rows, RowKind::Int8);
  IvfIndex other = index_of(rows, RowKind::Int8);
  const IvfReach reach = built(one, 25);
  EXPECT_EQ(reach.probes, built(other, 25).probes);
  EXPECT_TRUE(std::ranges::equal(one.codes(), other.codes()));
  EXPECT_EQ(one.lists().begins, other.lists().begins);
  EXPECT_EQ(one.lists().centroids, other.lists().centroids);
}

TEST(IvfIndex, HasEveryRowOnce) {
  VectorMaker maker(kTestDim, 5);
  IvfIndex index = index_of(maker.rows(3000, 0.7F), RowKind::Int8);
  built(index, 50);
  std::set<uint32_t> positions;
  for (uint32_t i = 0; i < index.size(); ++i) {
    positions.insert(position_in(index.rows().record(i)));
    const Bytes record(index.rows().record(i), index.rows().record_bytes());
    EXPECT_TRUE(check_record(RowKind::Int8, record, 3000, 0));
  }
  EXPECT_EQ(positions.size(), 3000U);
  EXPECT_EQ(*positions.rbegin(), 2999U);
}

TEST(IvfIndex, MarksLeaveVectorsOutAndReadMoreListsInstead) {
  VectorMaker maker(kTestDim, 20);
  IvfIndex index = index_of(maker.rows(2000, 0.7F), RowKind::Int8);
  built(index, 40);
  std::vector<uint8_t> marks(2000);
  for (size_t i = 0; i < marks.size(); i += 100) marks[i] = 1;
  const std::vector<float> query = maker.rows(1, 0.7F);
  const IvfSearch settings{.k = 10, .reach = {2, 40}, .marks = marks};
  const auto hits = index.search(query, settings).value();
  EXPECT_EQ(hits, index.search_all(query, settings).value());
  EXPECT_EQ(hits.size(), 10U);
  for (const IvfHit& hit : hits) EXPECT_EQ(hit.position % 100, 0U);
  marks.pop_back();
  EXPECT_EQ(index.search(query, {.marks = marks}).error().code, ErrorCode::Mismatch);
}

TEST(IvfIndex, WithoutListsComparesAllVectors) {
  VectorMaker maker(kTestDim, 5);
  IvfIndex index = index_of(maker.rows(500, 0.7F), RowKind::Int8);
  EXPECT_EQ(lists_for(index.size()), 0U);
  built(index, 0);
  const std::vector<float> query = maker.rows(1, 0.7F);
  EXPECT_FALSE(index.lists().has_codes());
  EXPECT_EQ(index.search(query, {.k = 7}).value(), index.search_all(query, {.k = 7}).value());
}

TEST(IvfIndex, SaysWhichVectorIsWrong) {
  IvfIndex index = IvfIndex::create(3, RowKind::Int8).value();
  ASSERT_TRUE(index.append(std::vector<float>{1, 2, 3}));
  const auto error_of = [&](const std::vector<float>& rows) {
    const auto done = index.append(rows);
    EXPECT_FALSE(done);
    return done ? Error{} : done.error();
  };
  const Error nan = error_of({std::numeric_limits<float>::quiet_NaN(), 0, 0});
  EXPECT_EQ(nan.code, ErrorCode::BadValue);
  EXPECT_EQ(nan.path, "vectors[1]");
  EXPECT_EQ(error_of({0, 0, 0}).path, "vectors[1]");
  EXPECT_EQ(error_of({0, std::numeric_limits<float>::infinity(), 0}).path, "vectors[1]");
  EXPECT_EQ(error_of({1, 2, 3, 4}).path, "vectors[2]");
  EXPECT_EQ(IvfIndex::create(0, RowKind::Int8).error().path, "dim");
}

TEST(IvfIndex, RefusesQueriesThatHaveNoDirection) {
  VectorMaker maker(kTestDim, 5);
  const IvfIndex index = index_of(maker.rows(20, 0.7F), RowKind::F32);
  std::vector<float> query(kTestDim);
  EXPECT_EQ(index.search(query, {}).error().path, "query");
  query[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(index.search(query, {}).error().code, ErrorCode::BadValue);
  query.pop_back();
  EXPECT_EQ(index.search(query, {}).error().code, ErrorCode::Mismatch);
}

TEST(IvfBuild, RefusesSettingsThatCannotBe) {
  VectorMaker maker(kTestDim, 5);
  IvfIndex index = index_of(maker.rows(20, 0.7F), RowKind::F32);
  EXPECT_EQ(IvfBuild::begin(index, {.n_lists = 11}).error().path, "lists");
  EXPECT_EQ(IvfBuild::begin(index, {.recall = 1.5}).error().path, "recall");
  EXPECT_EQ(IvfBuild::begin(index, {.recall = std::nan("")}).error().path, "recall");
}

TEST(IvfBuild, HandlesAsFewRowsAsThereCanBe) {
  VectorMaker maker(kTestDim, 5);
  for (const size_t n : {2U, 3U, 12U}) {
    IvfIndex index = index_of(maker.rows(n, 0.7F), RowKind::Int8);
    const IvfReach reach = built(index, 1);
    EXPECT_EQ(index.search(maker.rows(1, 0.7F), {.k = 50, .reach = reach}).value().size(), n);
  }
}

// Equal rows are one point for k-means, and fill one list.
TEST(IvfBuild, HandlesEqualRows) {
  IvfIndex index = index_of(std::vector<float>(400 * kTestDim, 0.5F), RowKind::Int8);
  Recall measured;
  built(index, 20, &measured);
  EXPECT_EQ(measured.recall, 1);
  EXPECT_EQ(measured.share, 1);
}

}  // namespace
}  // namespace ambry::search
