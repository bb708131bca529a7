#include "kernels/product_quantization/nearest_centroid.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class NearestCentroidTest : public ::testing::Test {
 protected:
  static std::vector<uint8_t> nearest(const std::vector<float>& points,
                                      const std::vector<float>& centroids, size_t dims) {
    std::vector<float> panel(kPanelColumns * dims);
    pack_panels<float>({points.data(), dims, 1}, points.size() / dims, dims, panel.data());
    std::vector<uint8_t> codes(kPanelColumns);
    nearest_of_panel<V>(panel.data(), centroids, dims, codes.data());
    return codes;
  }
};
TYPED_TEST_SUITE(NearestCentroidTest, TypedIsas, IsaNames);

TYPED_TEST(NearestCentroidTest, EqualsTheDefinition) {
  TestRandom random(3);
  for (const size_t dims : {1U, 2U, 3U, 7U, 30U}) {
    for (const size_t n_centroids : {1U, 2U, 13U, 256U}) {
      const std::vector<float> points = random.floats(kPanelColumns * dims);
      const std::vector<float> centroids = random.floats(n_centroids * dims);
      const std::vector<uint8_t> codes = this->nearest(points, centroids, dims);
      for (size_t p = 0; p < kPanelColumns; ++p) {
        const auto distance = [&](size_t centroid) {
          float sum = 0.0F;
          for (size_t i = 0; i < dims; ++i) {
            const float difference = points[p * dims + i] - centroids[centroid * dims + i];
            sum += difference * difference;
          }
          return sum;
        };
        size_t best = 0;
        for (size_t c = 1; c < n_centroids; ++c) best = distance(c) < distance(best) ? c : best;
        EXPECT_EQ(codes[p], best) << dims << " dims, " << n_centroids << " centroids, point " << p;
      }
    }
  }
}

TYPED_TEST(NearestCentroidTest, TakesTheFirstOfEquallyNearOnes) {
  const std::vector<float> points = {0, 0, 0, 2};
  const std::vector<float> centroids = {1, 0, 0, 1, -1, 0, 0, 1};
  const std::vector<uint8_t> codes = this->nearest(points, centroids, 2);
  EXPECT_EQ(codes[0], 0);
  EXPECT_EQ(codes[1], 1);
}

}  // namespace
}  // namespace ambry::kernels
