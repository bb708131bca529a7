#include "kernels/product_quantization/quantizer_training.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/train_quantizer.h"

namespace ambry::kernels {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers

constexpr std::array kKinds = {QuantizerKind::Plain, QuantizerKind::Optimized,
                               QuantizerKind::GaussianOptimized};

TrainingOptions options_of(QuantizerKind kind, size_t n_slices, uint32_t bits,
                           uint32_t iterations) {
  TrainingOptions options;
  options.kind = kind;
  options.n_slices = n_slices;
  options.bits = bits;
  options.iterations = iterations;
  return options;
}

void expect_orthogonal(const std::vector<float>& matrix, size_t n) {
  ASSERT_EQ(matrix.size(), n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += double{matrix[i * n + k]} * double{matrix[j * n + k]};
      EXPECT_NEAR(sum, i == j, 1e-6) << i << " " << j;
    }
  }
}

// The bounds that reductive's own tests assert
// (core/formats/finalfusion/README.md#training-bounds).
TEST(QuantizerTraining, KeepsTheReferencesBounds) {
  constexpr std::array kBounds = {0.08, 0.1, 0.12};
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<float> rows = uniform_rows(256, 20, seed);
    for (size_t i = 0; i < kKinds.size(); ++i) {
      TrainingOptions options = options_of(kKinds[i], 10, 7, 10);
      options.seed = seed;
      EXPECT_LT(mean_distance(train(rows, 20, options), rows), kBounds[i]) << i;
    }
  }
}

TEST(QuantizerTraining, DependsOnTheSeedOnly) {
  const std::vector<float> rows = uniform_rows(100, 12, 7);
  for (const QuantizerKind kind : kKinds) {
    TrainingOptions options = options_of(kind, 4, 3, 6);
    const ProductQuantizer one = train(rows, 12, options);
    const ProductQuantizer two = train(rows, 12, options);
    EXPECT_EQ(one.centroids, two.centroids);
    EXPECT_EQ(one.projection, two.projection);
    options.seed = 1;
    EXPECT_NE(train(rows, 12, options).centroids, one.centroids);
  }
}

// A checksum of the bits, the same in the native build and in both WebAssembly builds.
TEST(QuantizerTraining, GivesTheSameBitsInEveryBuild) {
  const std::vector<float> rows = uniform_rows(300, 24, 5);
  constexpr std::array<uint32_t, 3> kSums = {2140493578U, 2336235486U, 775138298U};
  for (size_t i = 0; i < kKinds.size(); ++i) {
    const ProductQuantizer quantizer = train(rows, 24, options_of(kKinds[i], 8, 4, 5));
    uint32_t sum = 0;
    for (const float x : quantizer.centroids) sum = sum * 31 + std::bit_cast<uint32_t>(x);
    for (const float x : quantizer.projection) sum = sum * 31 + std::bit_cast<uint32_t>(x);
    EXPECT_EQ(sum, kSums[i]) << i;
  }
}

TEST(QuantizerTraining, ProjectsByOrthogonalMatrices) {
  const std::vector<float> rows = uniform_rows(200, 15, 9);
  EXPECT_TRUE(train(rows, 15, options_of(QuantizerKind::Plain, 5, 4, 3)).projection.empty());
  for (const QuantizerKind kind : {QuantizerKind::Optimized, QuantizerKind::GaussianOptimized}) {
    expect_orthogonal(train(rows, 15, options_of(kind, 5, 4, 3)).projection, 15);
  }
}

// Dimensions of different slices are nearly equal here, so a plain quantizer loses. After the
// rotation the first axes hold nearly all variance.
TEST(QuantizerTraining, OptimizedKindsGainWhereDimensionsAreSimilar) {
  constexpr size_t kDims = 16;
  std::vector<float> rows = uniform_rows(1000, kDims, 11);
  for (size_t i = 1; i < rows.size(); ++i) {
    if (i % kDims >= 4) rows[i] = rows[i - 4] + 0.05F * rows[i];
  }
  std::array<double, 3> distances{};
  for (size_t i = 0; i < kKinds.size(); ++i) {
    distances[i] = mean_distance(train(rows, kDims, options_of(kKinds[i], 4, 4, 20)), rows);
  }
  EXPECT_LT(distances[1], 0.8 * distances[0]);
  EXPECT_LT(distances[2], 0.8 * distances[0]);
}

TEST(QuantizerTraining, MoreIterationsAndAttemptsReduceTheError) {
  const std::vector<float> rows = uniform_rows(400, 8, 13);
  TrainingOptions options = options_of(QuantizerKind::Plain, 2, 5, 1);
  const double one = mean_distance(train(rows, 8, options), rows);
  options.iterations = 30;
  const double thirty = mean_distance(train(rows, 8, options), rows);
  EXPECT_LT(thirty, one);
  options.attempts = 5;
  EXPECT_LT(mean_distance(train(rows, 8, options), rows), thirty);
}

TEST(QuantizerTraining, IsExactWithAsManyCentroidsAsRows) {
  const std::vector<float> rows = uniform_rows(16, 6, 15);
  for (const QuantizerKind kind : kKinds) {
    const ProductQuantizer quantizer = train(rows, 6, options_of(kind, 2, 4, 3));
    EXPECT_LT(mean_distance(quantizer, rows), 1e-6);
  }
}

TEST(QuantizerTraining, TakesEqualRowsZerosAndFewerRowsThanDimensions) {
  for (const QuantizerKind kind : kKinds) {
    const TrainingOptions options = options_of(kind, 3, 2, 4);
    const std::vector<float> equal(20 * 9, 0.25F);
    EXPECT_LT(mean_distance(train(equal, 9, options), equal), 1e-6);
    const std::vector<float> zeros(20 * 9, 0.0F);
    EXPECT_EQ(mean_distance(train(zeros, 9, options), zeros), 0.0);
    const std::vector<float> few = uniform_rows(5, 9, 17);
    const ProductQuantizer quantizer = train(few, 9, options);
    if (kind != QuantizerKind::Plain) expect_orthogonal(quantizer.projection, 9);
    EXPECT_LT(mean_distance(quantizer, few), 0.5);
  }
}

TEST(QuantizerTraining, ProcessesManyBlocksOfRows) {
  // More rows than one step takes: 2^26 products are 2,048 rows of 128 dimensions.
  const std::vector<float> rows = uniform_rows(2500, 128, 19);
  for (const QuantizerKind kind : kKinds) {
    const ProductQuantizer quantizer = train(rows, 128, options_of(kind, 16, 8, 2));
    EXPECT_LT(mean_distance(quantizer, rows), 2.4);
  }
}

struct Refused {
  const char* name;
  TrainingOptions options;
  uint64_t rows;
  uint64_t dims;
  ErrorCode code;
  const char* path;
};

TEST(QuantizerTraining, RefusesOptionsByName) {
  const TrainingOptions good = options_of(QuantizerKind::Plain, 5, 4, 3);
  EXPECT_TRUE(check_training(good, 16, 10));
  const auto with = [&](auto change) {
    TrainingOptions options = good;
    change(options);
    return options;
  };
  using O = TrainingOptions;
  const Refused cases[] = {
      {"slices that do not divide", with([](O& o) { o.n_slices = 3; }), 16, 10, ErrorCode::BadValue,
       "options.subquantizers"},
      {"no slices", with([](O& o) { o.n_slices = 0; }), 16, 10, ErrorCode::BadValue,
       "options.subquantizers"},
      {"more slices than numbers", with([](O& o) { o.n_slices = 20; }), 16, 10, ErrorCode::BadValue,
       "options.subquantizers"},
      {"no bits", with([](O& o) { o.bits = 0; }), 16, 10, ErrorCode::BadValue, "options.bits"},
      {"more than a byte", with([](O& o) { o.bits = 9; }), 1000, 10, ErrorCode::BadValue,
       "options.bits"},
      {"more centroids than rows", good, 15, 10, ErrorCode::BadValue, "options.bits"},
      {"no rows", good, 0, 10, ErrorCode::BadValue, "storage"},
      {"no iterations", with([](O& o) { o.iterations = 0; }), 16, 10, ErrorCode::BadValue,
       "options.iterations"},
      {"no attempts", with([](O& o) { o.attempts = 0; }), 16, 10, ErrorCode::BadValue,
       "options.attempts"},
      {"a matrix too large", with([](O& o) { o.kind = QuantizerKind::Optimized; }), 16, 5000,
       ErrorCode::LimitExceeded, "options.type"},
  };
  for (const Refused& refused : cases) {
    const auto checked = check_training(refused.options, refused.rows, refused.dims);
    ASSERT_FALSE(checked) << refused.name;
    EXPECT_EQ(checked.error().code, refused.code) << refused.name;
    EXPECT_EQ(checked.error().path, refused.path) << refused.name;
  }
}

}  // namespace
}  // namespace ambry::kernels
