#include "api/search/map_job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "search/ivf/make_vectors.h"

namespace ambry::api {
namespace {

std::string run(MapJob& job) {
  for (;;) {
    const std::string state = job.step().value();
    if (state.find("true") != std::string::npos) return state;
  }
}

TEST(MapJob, GivesAPointForEachVector) {
  search::VectorMaker maker(16, 9);
  const std::vector<float> vectors = maker.rows(500, 0.3F);
  for (const size_t n : {1U, 2U, 3U, 13U, 500U}) {
    MapJob job = MapJob::create(16).value();
    ASSERT_EQ(job.append(std::span(vectors).first(n * 16)).value(), n);
    EXPECT_EQ(run(job), R"({"done":true,"progress":1000})");
    ASSERT_EQ(job.positions().size(), 2 * n);
    for (const float x : job.positions()) EXPECT_TRUE(std::isfinite(x));
    EXPECT_EQ(run(job), R"({"done":true,"progress":1000})");
  }
}

TEST(MapJob, TakesZerosAndHugeValues) {
  MapJob job = MapJob::create(3).value();
  std::vector<float> vectors(30 * 3);
  vectors[4] = std::numeric_limits<float>::max();
  vectors[7] = std::numeric_limits<float>::denorm_min();
  ASSERT_TRUE(job.append(vectors));
  run(job);
  for (const float x : job.positions()) EXPECT_TRUE(std::isfinite(x));
}

TEST(MapJob, RefusesWhatIsNoVector) {
  EXPECT_FALSE(MapJob::create(0));
  EXPECT_FALSE(MapJob::create(1U << 20));
  MapJob job = MapJob::create(2).value();
  EXPECT_EQ(job.step().error().code, ErrorCode::BadValue);
  const std::vector<float> good{1, 0, 0, 1};
  ASSERT_TRUE(job.append(good));
  EXPECT_EQ(job.append(std::span(good).first(3)).error().path, "vectors[3]");
  const std::vector<float> bad{0, 1, std::numeric_limits<float>::quiet_NaN(), 0};
  EXPECT_EQ(job.append(bad).error().path, "vectors[3]");
  const std::vector<float> many(2 * 100'001);
  EXPECT_EQ(job.append(many).error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(job.append(good).value(), 4U);
  run(job);
  EXPECT_EQ(job.append(good).error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::api
