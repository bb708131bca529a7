#include "infer/encoder/encoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "infer/encoder/synthetic_bert.h"

namespace ambry::infer {
namespace {

class EncoderTest : public ::testing::Test {
 protected:
  static model::EncoderConfig config() {
    model::EncoderConfig config;
    config.vocab_size = 10;
    config.hidden_size = 8;
    config.num_layers = 1;
    config.num_heads = 2;
    config.intermediate_size = 16;
    config.max_positions = 4;
    return config;
  }

  Result<void> run(const std::vector<Sequence>& batch, size_t n_tokens) {
    hidden_.assign(n_tokens * 8, 0.0F);
    return encoder_.run(batch, hidden_);
  }

  Encoder encoder_ = SyntheticBert(config()).build().value();
  std::vector<float> hidden_;
};

TEST_F(EncoderTest, ReportsItsSizes) {
  EXPECT_EQ(encoder_.hidden_size(), 8U);
  EXPECT_EQ(encoder_.max_positions(), 4U);
}

TEST_F(EncoderTest, RefusesIdsOutsideTheVocabulary) {
  const std::vector<uint32_t> good = {0, 9};
  const std::vector<uint32_t> bad = {1, 2, 10};
  const auto result = run({{good, {}}, {bad, {}}}, 5);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BadValue);
  EXPECT_EQ(result.error().path, "sequences[1].ids[2]");
}

TEST_F(EncoderTest, RefusesTypesOutsideTheTable) {
  const std::vector<uint32_t> ids = {0, 9};
  const std::vector<uint32_t> types = {0, 2};
  const auto result = run({{ids, types}}, 2);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().path, "sequences[0].type_ids[1]");
}

TEST_F(EncoderTest, RefusesSequencesPastTheLastPosition) {
  const std::vector<uint32_t> ids = {1, 2, 3, 4, 5};
  const auto result = run({{ids, {}}}, 5);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(result.error().path, "sequences[0]");
}

TEST_F(EncoderTest, TakesEmptyBatchesAndSequences) {
  EXPECT_TRUE(run({}, 0));
  const std::vector<uint32_t> ids = {1, 2};
  ASSERT_TRUE(run({{ids, {}}}, 2));
  const std::vector<float> alone = hidden_;
  ASSERT_TRUE(run({{{}, {}}, {ids, {}}, {{}, {}}}, 2));
  EXPECT_EQ(hidden_, alone);
}

TEST_F(EncoderTest, MissingTypesAreZero) {
  const std::vector<uint32_t> ids = {1, 2, 3};
  const std::vector<uint32_t> zeros = {0, 0, 0};
  const std::vector<uint32_t> ones = {1, 1, 1};
  ASSERT_TRUE(run({{ids, {}}}, 3));
  const std::vector<float> without = hidden_;
  ASSERT_TRUE(run({{ids, zeros}}, 3));
  EXPECT_EQ(hidden_, without);
  ASSERT_TRUE(run({{ids, ones}}, 3));
  EXPECT_NE(hidden_, without);
}

// The scratch of a large batch must not affect a later small one.
TEST_F(EncoderTest, ALargerBatchDoesNotChangeLaterResults) {
  const std::vector<uint32_t> shorter = {7};
  const std::vector<uint32_t> longer = {1, 2, 3, 4};
  ASSERT_TRUE(run({{shorter, {}}}, 1));
  const std::vector<float> first = hidden_;
  ASSERT_TRUE(run(std::vector<Sequence>(50, {longer, {}}), 200));
  ASSERT_TRUE(run({{shorter, {}}}, 1));
  EXPECT_EQ(hidden_, first);
}

}  // namespace
}  // namespace ambry::infer
