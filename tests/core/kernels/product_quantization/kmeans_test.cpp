#include "kernels/product_quantization/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ambry::kernels {
namespace {

TEST(SliceKMeans, MovesCentroidsToTheMeansOfTheirPoints) {
  // One dimension, two separate groups: whichever two rows they start from, the centroids end at
  // the means.
  const std::vector<float> rows = {0, 1, 2, 10, 11, 12};
  SliceKMeans clusters({1, 1, 2}, 1);
  clusters.draw(rows.data(), rows.size());
  int steps = 0;
  do {
    clusters.add(rows.data(), 4);
    clusters.add(rows.data() + 4, 2);
  } while (clusters.move() && ++steps < 10);
  EXPECT_LT(steps, 10);
  std::vector<float> centroids = clusters.centroids();
  std::ranges::sort(centroids);
  EXPECT_EQ(centroids, (std::vector<float>{1, 11}));
}

TEST(SliceKMeans, DrawsDistinctRows) {
  const std::vector<float> rows = {0, 1, 2, 3, 4, 5, 6, 7};
  SliceKMeans clusters({2, 2, 4}, 3);
  clusters.draw(rows.data(), 4);
  for (size_t slice = 0; slice < 2; ++slice) {
    const auto drawn = clusters.codebook(slice);
    std::vector<float> sorted(drawn.begin(), drawn.end());
    std::ranges::sort(sorted);
    const auto first = static_cast<float>(slice);
    EXPECT_EQ(sorted, (std::vector<float>{first, first + 2, first + 4, first + 6}));
  }
}

TEST(SliceKMeans, CentroidsWithoutPointsBecomeZero) {
  const std::vector<float> rows = {5, 5, 5};
  SliceKMeans clusters({1, 1, 3}, 1);
  clusters.draw(rows.data(), rows.size());
  clusters.add(rows.data(), rows.size());
  EXPECT_TRUE(clusters.move());
  EXPECT_EQ(clusters.centroids(), (std::vector<float>{5, 0, 0}));
  clusters.add(rows.data(), rows.size());
  EXPECT_FALSE(clusters.move());
}

TEST(SliceKMeans, KeepsTheBestAttemptOfEachSlice) {
  const std::vector<float> rows = {0, 0.1F, 10, 10.1F, 20, 20.1F};
  SliceKMeans clusters({1, 1, 3}, 2);
  const auto error = [&](std::span<const float> centroids) {
    double sum = 0;
    for (const float x : rows) {
      double least = 1e9;
      for (const float c : centroids) least = std::min<double>(least, (x - c) * (x - c));
      sum += least;
    }
    return sum;
  };
  double best = 1e9;
  double worst = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    clusters.draw(rows.data(), rows.size());
    do {
      clusters.add(rows.data(), rows.size());
    } while (clusters.move());
    clusters.keep_best();
    best = std::min(best, error(clusters.centroids()));
    worst = std::max(worst, error(clusters.centroids()));
    EXPECT_DOUBLE_EQ(error(clusters.best()), best);
  }
  EXPECT_LT(best, worst);
}

}  // namespace
}  // namespace ambry::kernels
