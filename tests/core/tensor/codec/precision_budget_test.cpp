#include "tensor/codec/precision_budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tensor/codec/stream_decoder.h"
#include "tensor/codec/stream_encoder.h"

namespace ambry::tensor {
namespace {

constexpr uint16_t kBlock = 32;

struct Weights {
  Shape shape;
  std::vector<float> values;

  [[nodiscard]] PayloadLayout layout() const {
    return *payload_layout(DType::Adaptive, shape, {kBlock, DType::F16, 4, false});
  }
};

Weights random_weights(const Shape& shape, float size, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, size);
  Weights weights{shape, std::vector<float>(static_cast<size_t>(*shape.count()))};
  for (float& v : weights.values) v = normal(random);
  return weights;
}

std::vector<BlockErrors> errors_of(const Weights& weights, size_t step = 1000,
                                   const ErrorWeights& counts = {}) {
  BlockErrorStream stream(weights.layout(), counts);
  std::vector<BlockErrors> all;
  const std::span<const float> values(weights.values);
  for (size_t at = 0; at < values.size(); at += step) {
    stream.add(values.subspan(at, std::min(step, values.size() - at)),
               [&](const BlockErrors& errors) { all.push_back(errors); });
  }
  return all;
}

PrecisionBudget budget_of(const std::vector<Weights>& model, const ErrorWeights& counts = {}) {
  PrecisionBudget budget;
  for (const Weights& weights : model) {
    budget.begin_tensor(weights.layout());
    for (const BlockErrors& errors : errors_of(weights, 1000, counts)) budget.add(errors);
  }
  return budget;
}

std::vector<DType> precisions_of(const PrecisionBudget& budget, size_t tensor,
                                 const Weights& weights, const ErrorWeights& counts = {}) {
  std::vector<DType> precisions;
  for (const BlockErrors& errors : errors_of(weights, 1000, counts)) {
    precisions.push_back(budget.choose(tensor, errors));
  }
  return precisions;
}

TEST(BlockErrors, AreThoseOfTheCodecInEveryPrecision) {
  const Weights weights = random_weights({3, 50}, 2, 1);
  const std::vector<BlockErrors> all = errors_of(weights);
  ASSERT_EQ(all.size(), 6U);
  for (size_t p = 0; p < kPrecisions.size(); ++p) {
    auto encoder = StreamEncoder::create(DType::Adaptive, weights.shape, kBlock, {});
    ASSERT_TRUE(encoder->measure(weights.values));
    const std::vector<DType> precisions(6, kPrecisions[p]);
    ASSERT_TRUE(encoder->settle(precisions));
    std::vector<uint8_t> payload(encoder->head().begin(), encoder->head().end());
    const auto codes = encoder->encode(weights.values);
    payload.insert(payload.end(), codes->begin(), codes->end());
    auto decoder = StreamDecoder::create(DType::Adaptive, weights.shape, encoder->quantization(),
                                         payload.size());
    std::vector<float> decoded(weights.values.size());
    Bytes left(payload);
    size_t n = 0;
    while (n < decoded.size()) n += *decoder->decode(left, std::span(decoded).subspan(n));
    for (size_t block = 0; block < all.size(); ++block) {
      const size_t begin = block / 2 * 50 + block % 2 * kBlock;
      const size_t end = block % 2 == 0 ? begin + kBlock : begin + 50 - kBlock;
      double sum = 0;
      for (size_t i = begin; i < end; ++i) {
        sum +=
            std::pow(static_cast<double>(weights.values[i]) - static_cast<double>(decoded[i]), 2);
      }
      EXPECT_NEAR(all[block].squared[p], sum, sum * 1e-12);
    }
  }
}

TEST(BlockErrors, AreTheSameInChunksOfAnySize) {
  const Weights weights = random_weights({3, 50}, 2, 2);
  const std::vector<BlockErrors> whole = errors_of(weights);
  for (const size_t step : std::initializer_list<size_t>{1, 7, 33}) {
    const std::vector<BlockErrors> parts = errors_of(weights, step);
    ASSERT_EQ(parts.size(), whole.size());
    for (size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(parts[i].squared, whole[i].squared);
  }
}

// Rows past the last weight count nothing, beside columns that do.
TEST(BlockErrors, CountByTheirColumnAndTheirRow) {
  const Weights weights = random_weights({3, 50}, 2, 3);
  std::vector<float> columns(50);
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<float>(i % 7);
  const std::vector<float> rows = {0.5F, 3.0F};
  const auto plain = errors_of(weights);
  const auto by_row = errors_of(weights, 7, {{}, rows});
  const auto by_column = errors_of(weights, 7, {columns, {}});
  const auto by_both = errors_of(weights, 7, {columns, rows});
  for (size_t block = 0; block < plain.size(); ++block) {
    const size_t row = block / 2;
    const double weight = row < rows.size() ? static_cast<double>(rows[row]) : 0.0;
    for (size_t p = 0; p < kPrecisions.size(); ++p) {
      const double of_row = weight * plain[block].squared[p];
      EXPECT_NEAR(by_row[block].squared[p], of_row, of_row * 1e-12);
      const double both = of_row + by_column[block].squared[p];
      EXPECT_NEAR(by_both[block].squared[p], both, both * 1e-6);  // the weights' sum is a float
    }
  }
  EXPECT_LT(by_column[1].squared[0], 6 * plain[1].squared[0]);
  EXPECT_GT(by_column[1].squared[0], plain[1].squared[0]);
}

// A number that halves cannot hold is never stored so, however little it counts.
TEST(BlockErrors, CountByTheUnitOfTheirTensor) {
  const Weights weights = random_weights({3, 50}, 2, 1);
  const std::vector<float> rows = {1, 2, 0.5F};
  const std::vector<BlockErrors> plain = errors_of(weights, 1000, {.columns = {}, .rows = rows});
  const std::vector<BlockErrors> tripled =
      errors_of(weights, 1000, {.columns = {}, .rows = rows, .unit = 3});
  for (size_t block = 0; block < plain.size(); ++block) {
    for (size_t p = 0; p < kPrecisions.size(); ++p) {
      EXPECT_DOUBLE_EQ(tripled[block].squared[p], 3 * plain[block].squared[p]);
    }
  }
}

TEST(BlockErrors, StayInfiniteWithAWeightOfZero) {
  Weights weights = random_weights({1, kBlock}, 1, 4);
  weights.values[3] = 1e6F;
  const std::vector<float> none = {0.0F};
  const BlockErrors errors = errors_of(weights, 1000, {{}, none})[0];
  EXPECT_TRUE(std::isinf(errors.squared[3]));
  EXPECT_EQ(errors.squared[0], 0);
}

TEST(BlockErrors, ReportScalesThatF16CannotStore) {
  std::vector<float> values(kBlock, 1.0F);
  EXPECT_TRUE(block_errors(values, {}).scales_fit_half);
  values[3] = 1e6F;
  EXPECT_TRUE(std::isinf(block_errors(values, {}).squared[3]));
  EXPECT_FALSE(block_errors(std::vector<float>(kBlock, 1e-9F), {}).scales_fit_half);
}

TEST(PrecisionBudget, KeepsTheBudgetAndUsesIt) {
  const std::vector<Weights> model = {random_weights({64, 256}, 1, 3),
                                      random_weights({32, 512}, 0.1F, 4)};
  for (const double bits : {4.76, 5.0, 5.5, 6.25, 8.0, 12.0}) {
    PrecisionBudget budget = budget_of(model);
    ASSERT_TRUE(budget.settle(bits));
    uint64_t bytes = 0;
    for (size_t i = 0; i < model.size(); ++i) {
      auto encoder = StreamEncoder::create(DType::Adaptive, model[i].shape, kBlock, {});
      ASSERT_TRUE(encoder->measure(model[i].values));
      ASSERT_TRUE(encoder->settle(precisions_of(budget, i, model[i])));
      EXPECT_EQ(encoder->total_bytes(), budget.payload_bytes(i));
      bytes += encoder->total_bytes();
    }
    const double used = 8.0 * static_cast<double>(bytes) / (2 * 64 * 256);
    EXPECT_LE(used, bits);
    EXPECT_GE(used, std::max(4.75, bits * 0.97));
  }
}

// What is bought is worth more than what is not, to within a bin.
TEST(PrecisionBudget, ChoosesTheUpgradesThatReduceTheErrorMost) {
  const std::vector<Weights> model = {random_weights({64, 256}, 1, 5),
                                      random_weights({64, 256}, 0.01F, 6)};
  PrecisionBudget budget = budget_of(model);
  ASSERT_TRUE(budget.settle(5.5));
  double least_bought = INFINITY;
  double most_left = 0;
  for (size_t i = 0; i < model.size(); ++i) {
    for (const BlockErrors& errors : errors_of(model[i])) {
      const DType chosen = budget.choose(i, errors);
      const double gain = errors.squared[0] - errors.squared[1];  // from INT4 to INT5
      if (chosen == DType::Int4) most_left = std::max(most_left, gain);
      if (chosen == DType::Int5) least_bought = std::min(least_bought, gain);
    }
  }
  EXPECT_GT(most_left, 0);
  EXPECT_GE(least_bought, most_left / std::exp2(1.0 / 16));
}

TEST(PrecisionBudget, UsesTheWeightsOfColumns) {
  const Weights weights = random_weights({16, 64}, 1, 7);
  std::vector<float> columns(64, 1.0F);
  std::fill(columns.begin() + 32, columns.end(), 1000.0F);
  PrecisionBudget budget = budget_of({weights}, {columns, {}});
  ASSERT_TRUE(budget.settle(6.0));
  const std::vector<DType> precisions = precisions_of(budget, 0, weights, {columns, {}});
  for (size_t row = 0; row < 16; ++row) {
    EXPECT_EQ(precisions[2 * row], DType::Int4);
    EXPECT_NE(precisions[2 * row + 1], DType::Int4);
  }
}

TEST(PrecisionBudget, GivesBlocksOfZerosTheFewestBits) {
  const Weights zeros{{1, kBlock}, std::vector<float>(kBlock)};
  PrecisionBudget budget = budget_of({zeros});
  ASSERT_TRUE(budget.settle(16));
  EXPECT_EQ(precisions_of(budget, 0, zeros)[0], DType::Int4);
}

TEST(PrecisionBudget, WidensScalesThatDoNotFit) {
  const std::vector<Weights> model = {random_weights({8, 64}, 1e-9F, 8)};
  PrecisionBudget budget = budget_of(model);
  ASSERT_TRUE(budget.settle(5.5));
  EXPECT_EQ(budget.scale_type(0), DType::F32);
  auto encoder = StreamEncoder::create(DType::Adaptive, {8, 64}, kBlock, DType::F32);
  ASSERT_TRUE(encoder->measure(model[0].values));
  ASSERT_TRUE(encoder->settle(precisions_of(budget, 0, model[0])));
  EXPECT_EQ(encoder->total_bytes(), budget.payload_bytes(0));
}

TEST(PrecisionBudget, RefusesLessThanTheLeast) {
  PrecisionBudget budget = budget_of({random_weights({64, 256}, 1, 9)});
  const auto refused = budget.settle(4.5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "bits");
  EXPECT_NE(refused.error().message.find("at least 4.76"), std::string::npos);
}

}  // namespace
}  // namespace ambry::tensor
