#include "infer/words/nearest_words.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "infer/words/synthetic_words.h"

namespace ambry::infer {
namespace {

using testing::make_vectors;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<uint32_t> rows_of(const Result<std::vector<WordHit>>& hits) {
  EXPECT_TRUE(hits) << describe(hits.error());
  std::vector<uint32_t> rows;
  for (const WordHit& hit : *hits) rows.push_back(hit.row);
  return rows;
}

using Rows = std::vector<uint32_t>;

TEST(NearestWords, OrdersByScoreAndThenByBytes) {
  const WordVectors vectors =
      make_vectors({{"b", {1, 0}}, {"a", {1, 0}}, {"ä", {1, 0}}, {"Z", {1, 0}}, {"near", {2, 0}}});
  EXPECT_EQ(rows_of(nearest_words(vectors, std::vector{1.0F, 0.0F}, 5, {})), (Rows{4, 3, 1, 0, 2}));
}

TEST(NearestWords, ReturnsAllWordsForALargeK) {
  const WordVectors vectors = make_vectors({{"a", {1, 0}}, {"b", {0, 1}}});
  const std::vector query = {1.0F, 0.0F};
  EXPECT_EQ(rows_of(nearest_words(vectors, query, 1000, {})), (Rows{0, 1}));
  EXPECT_EQ(rows_of(nearest_words(vectors, query, 0, {})), Rows());
  const Rows excluded = {0, 1};
  EXPECT_EQ(rows_of(nearest_words(vectors, query, 1, excluded)), Rows());
}

TEST(NearestWords, LeavesOutRowsWithNanScores) {
  const WordVectors vectors = make_vectors(
      {{"nan", {kNan, 0}}, {"a", {-1, 0}}, {"inf", {INFINITY, 0}}, {"b", {0.5F, kNan}}});
  const auto hits = nearest_words(vectors, std::vector{1.0F, 0.0F}, 9, {});
  // Infinity times zero is NaN.
  EXPECT_EQ(rows_of(hits), (Rows{2, 1}));
}

TEST(NearestWords, RefusesInvalidQueries) {
  const WordVectors vectors = make_vectors({{"a", {1, 0}}});
  const auto nan = nearest_words(vectors, std::vector{1.0F, kNan}, 1, {});
  EXPECT_EQ(nan.error().code, ErrorCode::BadValue);
  const auto infinite = nearest_words(vectors, std::vector{INFINITY, 0.0F}, 1, {});
  EXPECT_EQ(infinite.error().path, "query");
  const auto shorter = nearest_words(vectors, std::vector{1.0F}, 1, {});
  EXPECT_EQ(shorter.error().code, ErrorCode::Mismatch);
}

TEST(NearestWords, AZeroQueryScoresAllWordsZero) {
  const WordVectors vectors = make_vectors({{"b", {1, 0}}, {"a", {0, 0}}});
  const auto hits = nearest_words(vectors, std::vector{0.0F, 0.0F}, 2, {});
  EXPECT_EQ(*hits, (std::vector<WordHit>{{1, 0.0F}, {0, 0.0F}}));
}

TEST(NearestWords, FindsWordsPastTheFirstBlock) {
  std::vector<testing::NamedRow> named(2000, {"", {0.0F, 1.0F}});
  for (size_t i = 0; i < named.size(); ++i) named[i].word = std::to_string(i);
  named[513].row = {3.0F, 0.0F};
  named[1999].row = {2.0F, 0.0F};
  const WordVectors vectors = make_vectors(named);
  const Rows excluded = {513};
  const std::vector query = {1.0F, 0.0F};
  EXPECT_EQ(rows_of(nearest_words(vectors, query, 2, {})), (Rows{513, 1999}));
  EXPECT_EQ(rows_of(nearest_words(vectors, query, 1, excluded)), (Rows{1999}));
}

TEST(NearestWords, QueriesTogetherEqualQueriesAlone) {
  std::vector<testing::NamedRow> named;
  for (int i = 0; i < 300; ++i) {
    const auto angle = static_cast<float>(i);
    named.push_back({std::to_string(i), {std::cos(angle), std::sin(angle)}});
  }
  const WordVectors vectors = make_vectors(named);
  const std::vector east = {1.0F, 0.0F};
  const std::vector north = {0.0F, 1.0F};
  const Rows excluded = {0};
  const std::array<NearestQuery, 2> queries = {{{east, excluded}, {north, {}}}};
  const auto together = nearest_words(vectors, queries, 7);
  ASSERT_TRUE(together);
  EXPECT_EQ((*together)[0], *nearest_words(vectors, east, 7, excluded));
  EXPECT_EQ((*together)[1], *nearest_words(vectors, north, 7, {}));
}

TEST(AngularSimilarity, AcceptsCosinesPastOne) {
  EXPECT_EQ(angular_similarity(1.0000002F), 1.0F);
  EXPECT_EQ(angular_similarity(-1.5F), 0.0F);
  EXPECT_FLOAT_EQ(angular_similarity(0.0F), 0.5F);
}

TEST(AnalogyVector, IsBMinusAPlusCOfLengthOne) {
  const WordVectors vectors =
      make_vectors({{"man", {1, 0, 0}}, {"king", {1, 1, 0}}, {"woman", {0, 0, 1}}});
  const auto vector = analogy_vector(vectors, {"man", "king", "woman"});
  ASSERT_TRUE(vector);
  EXPECT_FLOAT_EQ((*vector)[0], 0.0F);
  EXPECT_FLOAT_EQ((*vector)[1], std::sqrt(0.5F));
  EXPECT_FLOAT_EQ((*vector)[2], std::sqrt(0.5F));
}

TEST(AnalogyVector, NamesAllThatAreMissing) {
  const WordVectors vectors = make_vectors({{"a", {1, 0}}});
  const auto vector = analogy_vector(vectors, {"x", "a", "y"});
  ASSERT_FALSE(vector);
  EXPECT_EQ(vector.error().code, ErrorCode::NotFound);
  EXPECT_EQ(vector.error().path, "a");
  EXPECT_EQ(vector.error().message, "no vector for a \"x\", c \"y\"");
}

}  // namespace
}  // namespace ambry::infer
