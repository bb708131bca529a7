#include "infer/text_classifier/bucket_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ambry::infer {
namespace {

TEST(BucketRows, OfModelsThatAreNotPrunedAreTheBuckets) {
  model::TextClassifier classifier;
  classifier.n_buckets = 7;
  const BucketRows rows(classifier);
  EXPECT_EQ(rows.find(0), 0U);
  EXPECT_EQ(rows.find(6), 6U);
}

TEST(BucketRows, OfPrunedModelsAreThoseThatWereKept) {
  std::mt19937 random(3);
  for (const uint32_t n_buckets : {1U, 2U, 100U, 2'000'000U, 2'147'483'647U}) {
    for (const uint32_t n_kept : {0U, 1U, 2U, 300U}) {
      std::map<uint32_t, uint32_t> kept;
      for (uint32_t i = 0; i < n_kept; ++i) {
        kept[static_cast<uint32_t>(random()) % n_buckets] = static_cast<uint32_t>(kept.size());
      }
      model::TextClassifier classifier;
      classifier.n_buckets = n_buckets;
      classifier.pruned = true;
      for (const auto& [bucket, row] : kept) {
        classifier.kept_buckets.push_back(bucket);
        classifier.kept_rows.push_back(row);
      }
      const BucketRows rows(classifier);
      for (const auto& [bucket, row] : kept) EXPECT_EQ(rows.find(bucket), row);
      for (int i = 0; i < 1000; ++i) {
        const auto bucket = static_cast<uint32_t>(random() % n_buckets);
        EXPECT_EQ(rows.find(bucket).has_value(), kept.contains(bucket));
      }
      EXPECT_EQ(rows.find(n_buckets - 1).has_value(), kept.contains(n_buckets - 1));
    }
  }
}

}  // namespace
}  // namespace ambry::infer
