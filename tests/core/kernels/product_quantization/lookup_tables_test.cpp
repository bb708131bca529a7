#include "kernels/product_quantization/lookup_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_random.h"

namespace ambry::kernels {
namespace {

struct Case {
  size_t n_slices;
  size_t width;
  size_t n_centroids;
  bool projection;
  size_t n_rows;
};

// Compares with the reconstructed rows, multiplied in double.
void expect_scores_of_the_rows(const Case& c) {
  TestRandom random(c.n_slices * 31 + c.width);
  const size_t dims = c.n_slices * c.width;
  ProductQuantizer quantizer{{dims, c.n_slices, c.n_centroids}, {}, {}};
  quantizer.centroids = random.floats(dims * c.n_centroids);
  if (c.projection) quantizer.projection = random.floats(dims * dims, 0.3F);
  const std::vector<float> query = random.floats(dims);
  std::vector<uint8_t> codes(c.n_rows * c.n_slices);
  for (uint8_t& code : codes) {
    code = static_cast<uint8_t>(random.bits() % std::min<size_t>(c.n_centroids, 256));
  }
  std::vector<float> scores(c.n_rows, 1.0F);
  PqLookupTables(quantizer, query).score(codes.data(), scores);
  std::vector<float> row(dims);
  std::vector<float> scratch(dims);
  for (size_t i = 0; i < c.n_rows; ++i) {
    quantizer.reconstruct(&codes[i * c.n_slices], row, scratch);
    double expected = 0;
    double magnitude = 0;
    for (size_t j = 0; j < dims; ++j) {
      expected += double{row[j]} * double{query[j]};
      magnitude += std::fabs(double{row[j]} * double{query[j]});
    }
    EXPECT_NEAR(scores[i], expected, 1e-6 * magnitude + 1e-7) << "row " << i;
  }
}

TEST(PqLookupTables, ScoresEqualThoseOfTheReconstructedRows) {
  // Numbers of slices around 8 and 16, and more rows than a block has.
  for (const size_t n_slices : {1U, 3U, 7U, 8U, 9U, 16U, 17U, 31U, 40U}) {
    expect_scores_of_the_rows({n_slices, 2, 256, false, 40});
    expect_scores_of_the_rows({n_slices, 3, 5, true, 40});
  }
  expect_scores_of_the_rows({20, 2, 16, false, 1100});
}

TEST(PqLookupTables, AcceptsMoreCentroidsThanAByteCanIndex) {
  expect_scores_of_the_rows({4, 2, 300, false, 20});
}

TEST(PqLookupTables, ScoresNoRows) { expect_scores_of_the_rows({4, 2, 8, false, 0}); }

}  // namespace
}  // namespace ambry::kernels
