#include "search/sparse/sparse_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "search/sparse/make_sparse.h"
#include "search/sparse/sparse_file.h"

namespace ambry::search {
namespace {

using Documents = std::vector<SparseWords>;
using Numbers = std::vector<uint32_t>;

constexpr float kSparseInf = std::numeric_limits<float>::infinity();

// The product of two vectors in double precision, by a loop over the query and a look-up.
double plain_dot(const SparseWords& document, const SparseWords& query) {
  const std::map<uint32_t, float> weights(document.begin(), document.end());
  double sum = 0;
  for (const auto& [id, weight] : query) {
    const auto found = weights.find(id);
    if (found != weights.end()) sum += double{weight} * double{found->second};
  }
  return sum;
}

double length_of(const SparseWords& words) { return std::sqrt(plain_dot(words, words)); }

Numbers found_rows(const std::vector<SparseHit>& hits) {
  Numbers rows;
  for (const SparseHit& hit : hits) rows.push_back(hit.row);
  return rows;
}

Numbers found_by(SparseIndex& index, const SparseWords& query, size_t k,
                 const std::vector<float>& bias = {}) {
  return found_rows(index.search(pairs_of(query), bias, k).value());
}

// All rows that match, sorted by a plain scan.
Numbers expected_rows(const Documents& documents, const SparseWords& query) {
  Numbers rows;
  for (uint32_t i = 0; i < documents.size(); ++i) {
    if (plain_dot(documents[i], query) != 0) rows.push_back(i);
  }
  // The lower row comes first of two with one score.
  std::ranges::sort(rows, {}, [&](uint32_t row) {
    return std::pair(-static_cast<float>(plain_dot(documents[row], query)), row);
  });
  return rows;
}

TEST(SparseIndexTest, FindsTheLargestProducts) {
  SparseIndex index = small_sparse();
  EXPECT_EQ(index.size(), 4U);
  EXPECT_EQ(index.dim(), 9U);
  EXPECT_EQ(index.n_weights(), 4U);
  const auto hits = index.search(pairs_of({{0, 4.0F}, {2, 0.5F}, {7, 9.0F}}), {}, 9).value();
  EXPECT_EQ(found_rows(hits), (Numbers{0, 1}));
  EXPECT_EQ(hits[0].score, 2.5F);
  EXPECT_EQ(hits[1].score, 1.5F);
  EXPECT_EQ(hits[1].rank, 1.5F);
  EXPECT_FLOAT_EQ(hits[1].cosine, 0.5F / std::sqrt(16 + 0.25F + 81));
  // No document has these words.
  EXPECT_EQ(found_by(index, {{1, 1.0F}}, 9), Numbers{});
  EXPECT_EQ(found_by(index, {}, 9), Numbers{});
  EXPECT_EQ(found_by(index, {{2, 1.0F}}, 0), Numbers{});
}

TEST(SparseIndexTest, EqualsAPlainScan) {
  TestRandom random(3);
  constexpr uint32_t kDim = 300;
  Documents documents;
  SparseIndex index = SparseIndex::create(kDim).value();
  for (size_t part = 0; part < 12; ++part) {
    Documents added;
    for (size_t i = 0; i < part * 5; ++i) added.push_back(random_words(random, kDim, 40));
    ASSERT_TRUE(append_sparse(index, added));
    documents.insert(documents.end(), added.begin(), added.end());
    const SparseWords query = random_words(random, kDim, 30);
    const Numbers expected = expected_rows(documents, query);
    const auto all = index.search(pairs_of(query), {}, SIZE_MAX).value();
    ASSERT_EQ(found_rows(all), expected);
    for (const SparseHit& hit : all) {
      const SparseWords& words = documents[hit.row];
      const double exact = plain_dot(words, query);
      EXPECT_EQ(hit.score, static_cast<float>(exact));
      EXPECT_NEAR(hit.cosine, exact / length_of(words) / length_of(query), 1e-6);
    }
    const size_t few = std::min<size_t>(7, all.size());
    EXPECT_TRUE(std::ranges::equal(found_by(index, query, few), std::span(expected).first(few)));
    const AlignedBuffer scores = index.scores(pairs_of(query)).value();
    ASSERT_EQ(scores.as<double>().size(), documents.size());
    for (size_t i = 0; i < documents.size(); ++i) {
      EXPECT_EQ(scores.as<double>()[i], plain_dot(documents[i], query));
    }
  }
}

TEST(SparseIndexTest, TiesGoToTheLowerDocument) {
  SparseIndex index = SparseIndex::create(2).value();
  ASSERT_TRUE(append_sparse(index, {{{0, 1.0F}}, {{0, 2.0F}}, {{0, 1.0F}}, {{0, 2.0F}}}));
  EXPECT_EQ(found_by(index, {{0, 1.0F}}, 9), (Numbers{1, 3, 0, 2}));
  EXPECT_EQ(found_by(index, {{0, 1.0F}}, 3), (Numbers{1, 3, 0}));
}

TEST(SparseIndexTest, ABiasLiftsAndExcludes) {
  SparseIndex index = small_sparse();
  const SparseWords query = {{2, 1.0F}};
  EXPECT_EQ(found_by(index, query, 9, {0, 0, 0, 0}), (Numbers{1, 0}));
  EXPECT_EQ(found_by(index, query, 9, {0, -kSparseInf, 0, 0}), Numbers{0});
  // A document without a word of the query is a hit only by its bias.
  EXPECT_EQ(found_by(index, query, 9, {-5, 0, 0.5F, -1}), (Numbers{1, 2, 0}));
  const auto hits = index.search(pairs_of({}), std::vector<float>{0, 0, 2, 1}, 9).value();
  EXPECT_EQ(found_rows(hits), (Numbers{2, 3}));
  EXPECT_EQ(hits[0].score, 0);
  EXPECT_EQ(hits[0].rank, 2);
  EXPECT_EQ(hits[0].cosine, 0);
}

TEST(SparseIndexTest, DropsDocuments) {
  TestRandom random(5);
  constexpr uint32_t kDim = 50;
  Documents documents;
  SparseIndex index = SparseIndex::create(kDim).value();
  for (size_t round = 0; round < 8; ++round) {
    Documents added;
    for (size_t i = 0; i < 20; ++i) added.push_back(random_words(random, kDim, 12));
    ASSERT_TRUE(append_sparse(index, added));
    documents.insert(documents.end(), added.begin(), added.end());
    std::vector<uint8_t> marks;
    Documents kept;
    for (const SparseWords& words : documents) {
      marks.push_back(random.bits() % 3 == 0 ? 0 : 1);
      if (marks.back() != 0) kept.push_back(words);
    }
    ASSERT_TRUE(index.retain(marks));
    documents = kept;
    ASSERT_EQ(index.size(), documents.size());
    const SparseWords query = random_words(random, kDim, 20);
    EXPECT_EQ(found_by(index, query, 200), expected_rows(documents, query));
    SparseIndex anew = SparseIndex::create(kDim).value();
    ASSERT_TRUE(append_sparse(anew, documents));
    EXPECT_EQ(sparse_file(std::move(anew), "x"),
              sparse_file(load_sparse(sparse_file(std::move(index), "x")).value(), "x"));
    index = SparseIndex::create(kDim).value();
    ASSERT_TRUE(append_sparse(index, documents));
  }
  ASSERT_TRUE(index.retain(std::vector<uint8_t>(index.size())));
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.n_weights(), 0U);
}

TEST(SparseIndexTest, HoldsTheLargestVocabulary) {
  SparseIndex index = SparseIndex::create(kMaxVocabulary).value();
  const SparseWords last = {{kMaxVocabulary - 1, 2.0F}, {kMaxVocabulary - 2, 1.0F}};
  ASSERT_TRUE(append_sparse(index, {last}));
  EXPECT_EQ(index.search(pairs_of(last), {}, 1).value()[0].score, 5);
  for (const uint32_t dim : {0U, kMaxVocabulary + 1}) {
    const auto refused = SparseIndex::create(dim);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
    EXPECT_EQ(refused.error().path, "dim");
  }
}

TEST(SparseIndexTest, TakesWeightsOfAnySize) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  SparseIndex index = SparseIndex::create(3).value();
  ASSERT_TRUE(append_sparse(index, {{{0, kLargest}, {1, kLargest}}, {{0, 1e-30F}}, {{2, -1}}}));
  EXPECT_EQ(found_by(index, {{0, 1e-30F}, {2, 1}}, 9), (Numbers{0, 1, 2}));
  // What was made can be read.
  EXPECT_TRUE(load_sparse(sparse_file(std::move(index), "")));
}

TEST(SparseIndexTest, RefusesWhatDoesNotFit) {
  SparseIndex index = small_sparse();
  const auto expect = [](const auto& result, ErrorCode code, const char* path) {
    ASSERT_FALSE(result) << path;
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().path, path);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const SparseWords& wrong :
       {SparseWords{{1, 1.0F}, {9, 1.0F}}, SparseWords{{1, 1.0F}, {2, 0.0F}},
        SparseWords{{1, 1.0F}, {2, kSparseInf}}, SparseWords{{1, 1.0F}, {2, nan}}}) {
    expect(append_sparse(index, {wrong}), ErrorCode::BadValue, "rows[1]");
    expect(index.search(pairs_of(wrong), {}, 1), ErrorCode::BadValue, "query[1]");
  }
  for (const float id : {-1.0F, 0.5F, nan, kSparseInf, 1e20F}) {
    expect(index.append(std::vector<float>{id, 1}, Numbers{1}), ErrorCode::BadValue, "rows[0]");
  }
  expect(append_sparse(index, {{{3, 1.0F}}, {{3, 1.0F}, {4, 1.0F}, {3, 2.0F}}}),
         ErrorCode::BadValue, "rows[3]");
  expect(index.append(std::vector<float>{1, 1, 2}, Numbers{1}), ErrorCode::BadValue, "rows");
  expect(index.append(std::vector<float>{1, 1}, Numbers{2}), ErrorCode::Mismatch, "lengths");
  expect(index.append(std::vector<float>{1, 1}, Numbers{}), ErrorCode::Mismatch, "lengths");
  expect(index.retain(std::vector<uint8_t>{1, 1}), ErrorCode::Mismatch, "marks");
  expect(index.search({}, std::vector<float>{0}, 1), ErrorCode::Mismatch, "bias");
  // Nothing of all this was added.
  EXPECT_EQ(index.size(), 4U);
  EXPECT_EQ(index.n_weights(), 4U);
  EXPECT_EQ(found_by(index, {{3, 1.0F}, {1, 1.0F}}, 9), Numbers{});
}

}  // namespace
}  // namespace ambry::search
