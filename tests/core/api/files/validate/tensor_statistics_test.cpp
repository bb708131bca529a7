#include "api/files/validate/tensor_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "api/files/validate/run_validation.h"
#include "kernels/test_random.h"

namespace ambry::api {
namespace {

using testing::at;

model::TensorEntry entry(tensor::Shape shape, tensor::DType dtype = tensor::DType::F32) {
  model::TensorEntry tensor;
  tensor.name = "t";
  tensor.dtype = dtype;
  tensor.shape = shape;
  return tensor;
}

uint64_t total(const io::Json& histogram) {
  uint64_t sum = 0;
  for (const io::Json& count : at(histogram, "counts").items()) sum += count.uint();
  return sum;
}

// Every value is inside the bin that counts it.
void expect_counts(const io::Json& histogram, const std::vector<float>& numbers) {
  const double low = at(histogram, "low").number();
  const double width = (at(histogram, "high").number() - low) / 64;
  std::vector<uint64_t> counts(64);
  for (const float x : numbers) {
    const double bin = std::floor((static_cast<double>(x) - low) / width);
    ASSERT_GE(bin, 0.0);
    ASSERT_LT(bin, 64.0);
    ++counts[static_cast<size_t>(bin)];
  }
  const auto& found = at(histogram, "counts").items();
  ASSERT_EQ(found.size(), 64U);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(found[i].uint(), counts[i]) << "bin " << i;
}

TEST(TensorStatistics, MatchesATwoPassComputationForAnySplit) {
  TestRandom random(3);
  std::vector<float> numbers = random.floats(size_t{30} * 100);
  for (float& x : numbers) x = 50.0F + x * x * x;
  long double mean = 0;
  for (const float x : numbers) mean += x;
  mean /= static_cast<long double>(numbers.size());
  long double m2 = 0;
  for (const float x : numbers) m2 += (x - mean) * (x - mean);
  const auto std = static_cast<double>(std::sqrt(m2 / static_cast<long double>(numbers.size())));
  for (const size_t piece : {1U, 7U, 1024U, 3000U}) {
    const model::TensorEntry tensor = entry({30, 100});
    TensorStatistics statistics(tensor);
    for (size_t i = 0; i < numbers.size(); i += piece) {
      statistics.add(std::span(numbers).subspan(i, std::min(piece, numbers.size() - i)));
    }
    const io::Json document = statistics.document();
    EXPECT_NEAR(at(document, "mean").number(), static_cast<double>(mean), 1e-12);
    EXPECT_NEAR(at(document, "std").number(), std, 1e-12);
    EXPECT_EQ(at(document, "min").number(),
              static_cast<double>(*std::ranges::min_element(numbers)));
    EXPECT_EQ(at(document, "max").number(),
              static_cast<double>(*std::ranges::max_element(numbers)));
    EXPECT_NEAR(at(at(document, "rowNorms"), "mean").number(), 500.0, 0.5);
    EXPECT_EQ(statistics.n_rows(), 30U);
    expect_counts(at(document, "histogram"), numbers);
  }
}

// Counting bytes gives the same as treating them as floats.
TEST(TensorStatistics, BytesGiveTheSameAsTheirFloats) {
  std::vector<uint8_t> bytes(size_t{30} * 100);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i < 200 ? 0 : 97 * i / 3 % (i < 1500 ? 12 : 256));
  }
  for (const tensor::DType dtype : {tensor::DType::I8, tensor::DType::U8}) {
    model::TensorEntry tensor = entry({30, 100}, dtype);
    if (dtype == tensor::DType::U8) tensor.value_limit = 250;
    std::vector<float> floats(bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i) {
      floats[i] = dtype == tensor::DType::U8 ? static_cast<float>(bytes[i])
                                             : static_cast<float>(static_cast<int8_t>(bytes[i]));
    }
    TensorStatistics expected(tensor);
    expected.add(floats);
    for (const size_t piece : {1U, 7U, 1024U, 3000U}) {
      TensorStatistics statistics(tensor);
      for (size_t i = 0; i < bytes.size(); i += piece) {
        statistics.add(Bytes(bytes).subspan(i, std::min(piece, bytes.size() - i)));
      }
      for (const char* key : {"count", "zeros", "zeroRows", "min", "max", "histogram", "nan"}) {
        EXPECT_EQ(at(statistics.document(), key).dump(), at(expected.document(), key).dump());
      }
      for (const char* key : {"mean", "std"}) {
        EXPECT_NEAR(at(statistics.document(), key).number(), at(expected.document(), key).number(),
                    1e-11);
      }
      for (const char* key : {"min", "max", "mean"}) {
        EXPECT_NEAR(at(at(statistics.document(), "rowNorms"), key).number(),
                    at(at(expected.document(), "rowNorms"), key).number(), 1e-9);
      }
      EXPECT_EQ(statistics.first_invalid(), expected.first_invalid());
      EXPECT_EQ(statistics.first_zero_row(), expected.first_zero_row());
      EXPECT_EQ(statistics.zero_rows(), 2U);
    }
  }
}

TEST(TensorStatistics, HistogramGrowsWithTheValues) {
  std::vector<float> numbers;
  const model::TensorEntry tensor = entry({1000});
  TensorStatistics statistics(tensor);
  for (int exponent = -140; exponent < 128; exponent += 9) {
    for (const float sign : {1.0F, -1.0F}) {
      numbers.push_back(sign * std::ldexp(1.5F, exponent));
      statistics.add(std::span(numbers).last(1));
    }
  }
  const io::Json document = statistics.document();
  EXPECT_EQ(total(at(document, "histogram")), numbers.size());
  EXPECT_GT(at(document, "denormals").uint(), 0U);
  expect_counts(at(document, "histogram"), numbers);
}

TEST(TensorStatistics, LeadingZerosDoNotWidenTheHistogram) {
  const model::TensorEntry tensor = entry({4000});
  TensorStatistics statistics(tensor);
  std::vector<float> numbers(2000, 0.0F);
  for (size_t i = 0; i < 2000; ++i) numbers.push_back(1e-6F * static_cast<float>(i));
  statistics.add(numbers);
  const io::Json document = statistics.document();
  EXPECT_LT(at(at(document, "histogram"), "high").number(), 0.005);
  expect_counts(at(document, "histogram"), numbers);
}

TEST(TensorStatistics, HandlesConstantsAndNoValues) {
  const model::TensorEntry tensor = entry({4});
  TensorStatistics constant(tensor);
  constant.add(std::vector<float>(4, -2.0F));
  const io::Json document = constant.document();
  EXPECT_EQ(at(document, "std").number(), 0.0);
  EXPECT_EQ(at(at(document, "histogram"), "counts").items()[0].uint(), 4U);
  const io::Json empty = TensorStatistics(tensor).document();
  EXPECT_TRUE(at(empty, "min").is_null());
  EXPECT_TRUE(at(empty, "mean").is_null());
  EXPECT_TRUE(at(empty, "std").is_null());
  EXPECT_TRUE(at(empty, "histogram").is_null());
}

TEST(TensorStatistics, CountsF16DenormalsByTheirOwnLimit) {
  const std::vector<float> numbers = {0x1p-14F, 0x1p-15F, -0x1p-24F, 0.0F};
  const model::TensorEntry half = entry({4}, tensor::DType::F16);
  TensorStatistics statistics(half);
  statistics.add(numbers);
  EXPECT_EQ(at(statistics.document(), "denormals").uint(), 2U);
  const model::TensorEntry codes = entry({4}, tensor::DType::Int4);
  TensorStatistics none(codes);
  none.add(numbers);
  EXPECT_EQ(at(none.document(), "denormals").uint(), 0U);
}

TEST(TensorStatistics, ChecksValuesAgainstTheModelsLimits) {
  model::TensorEntry codes = entry({2, 3}, tensor::DType::U8);
  codes.value_limit = 4;
  TensorStatistics statistics(codes);
  statistics.add(std::vector<float>{0, 3, 1, 2, 4, 9});
  EXPECT_EQ(statistics.first_invalid(), 4U);

  model::TensorEntry variance = entry({3});
  variance.finite_above = -1e-5F;
  TensorStatistics fine(variance);
  fine.add(std::vector<float>{0.0F, -0.9e-5F, 1.0F});
  EXPECT_EQ(fine.first_invalid(), TensorStatistics::kNone);
  TensorStatistics negative(variance);
  negative.add(std::vector<float>{0.0F, 1.0F, -1e-5F});
  EXPECT_EQ(negative.first_invalid(), 2U);

  model::TensorEntry rows = entry({3, 2});
  rows.n_unit_rows = 2;
  TensorStatistics norms(rows);
  norms.add(std::vector<float>{0.6F, 0.8F, 1.0F, 1.0F, 5.0F, 5.0F});
  EXPECT_EQ(norms.n_not_unit_rows(), 1U);
  EXPECT_EQ(norms.first_not_unit_row(), 1U);
}

}  // namespace
}  // namespace ambry::api
