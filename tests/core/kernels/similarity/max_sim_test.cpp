#include "kernels/similarity/max_sim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class MaxSimTest : public ::testing::Test {};
TYPED_TEST_SUITE(MaxSimTest, TypedIsas, IsaNames);

double exact_score(const std::vector<float>& query, const std::vector<float>& rows, size_t dim) {
  double sum = 0;
  for (size_t q = 0; q < query.size(); q += dim) {
    double best = -std::numeric_limits<double>::infinity();
    for (size_t r = 0; r < rows.size(); r += dim) {
      double product = 0;
      for (size_t i = 0; i < dim; ++i) product += double{query[q + i]} * double{rows[r + i]};
      best = std::max(best, product);
    }
    sum += best;
  }
  return sum;
}

// A scale and bytes for each row, and the values that these stand for.
struct Int8Document {
  std::vector<uint8_t> bytes;
  std::vector<float> values;

  Int8Document(const std::vector<float>& scales, size_t dim, TestRandom& random) {
    for (const float scale : scales) {
      const size_t at = bytes.size();
      bytes.resize(at + sizeof(float) + dim);
      store_le(bytes.data() + at, scale);
      for (size_t i = 0; i < dim; ++i) {
        const auto byte = static_cast<int8_t>(std::lround(127 * random.floats(1)[0]));
        bytes[at + sizeof(float) + i] = static_cast<uint8_t>(byte);
        values.push_back(static_cast<float>(byte) * scale);
      }
    }
  }
};

// Sizes around those of panels, vectors and blocks.
TYPED_TEST(MaxSimTest, EqualsTheDefinition) {
  TestRandom random(3);
  for (const size_t dim : {1U, 7U, 8U, 33U}) {
    for (const size_t n_query : {1U, 3U, 8U, 32U, 35U}) {
      for (const size_t n_rows : {1U, 5U, 29U, 30U, 31U, 64U}) {
        const std::vector<float> query = random.floats(n_query * dim);
        MaxSim max_sim = MaxSim::create(query, dim).value();
        const std::vector<float> rows = random.floats(n_rows * dim);
        EXPECT_NEAR(max_sim.score<TypeParam>(rows), exact_score(query, rows, dim), 1e-4)
            << dim << ", " << n_query << ", " << n_rows;
        std::vector<float> scales(n_rows);
        for (float& scale : scales) scale = 0.01F + 0.005F * random.floats(1)[0];
        const Int8Document document(scales, dim, random);
        EXPECT_NEAR(max_sim.score_int8<TypeParam>(document.bytes),
                    exact_score(query, document.values, dim), 1e-4)
            << dim << ", " << n_query << ", " << n_rows;
      }
    }
  }
}

TYPED_TEST(MaxSimTest, DoesNotRememberTheDocumentBefore) {
  const std::vector<float> query = {1, 0, 0, 1};
  MaxSim max_sim = MaxSim::create(query, 2).value();
  EXPECT_EQ(max_sim.score<TypeParam>(std::vector<float>{3, 5}), 8.0F);
  EXPECT_EQ(max_sim.score<TypeParam>(std::vector<float>{-1, 2, 1, -2}), 3.0F);
  // All products may be below 0.
  EXPECT_EQ(max_sim.score<TypeParam>(std::vector<float>{-1, -2}), -3.0F);
}

TYPED_TEST(MaxSimTest, SaysWhatNothingScores) {
  const std::vector<float> query = {1, 0};
  EXPECT_EQ(MaxSim::create(query, 2).value().score<TypeParam>({}),
            -std::numeric_limits<float>::infinity());
  EXPECT_EQ(MaxSim::create({}, 2).value().score<TypeParam>(query), 0.0F);
}

TYPED_TEST(MaxSimTest, ARowDoesNotDependOnTheOthers) {
  TestRandom random(5);
  constexpr size_t kDim = 19;
  const std::vector<float> query = random.floats(kDim);
  MaxSim max_sim = MaxSim::create(query, kDim).value();
  const std::vector<float> rows = random.floats(40 * kDim);
  float best = -std::numeric_limits<float>::infinity();
  for (size_t r = 0; r < 40; ++r) {
    best = std::max(best, max_sim.score<TypeParam>(std::span(rows).subspan(r * kDim, kDim)));
  }
  EXPECT_EQ(max_sim.score<TypeParam>(rows), best);
}

}  // namespace
}  // namespace ambry::kernels
