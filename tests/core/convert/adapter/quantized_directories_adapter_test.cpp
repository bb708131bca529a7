// Adapters are merged into directories whose weights another library has quantized: what the codes
// stand for gets the products.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "convert/adapter/adapter_files.h"
#include "convert/checkpoint_quantization/quantized_fixture.h"
#include "convert/plan/source_model.h"

namespace ambry::convert {
namespace {

using testing::adapted;
using testing::DecoderDirectory;
using testing::Matrix;
using testing::merged;
using testing::peft;
using testing::QuantizedCase;
using testing::ReadBack;
using testing::to;

constexpr const char* kWeight = "model.layers.0.mlp.up_proj.weight";

class AdaptedDirectories : public ::testing::TestWithParam<QuantizedCase> {
 protected:
  AdaptedDirectories() : directory_(testing::directory_of(GetParam())) {
    const auto made = testing::run(directory_.weights(), directory_.files, floats());
    EXPECT_TRUE(made) << describe(made.error());
    const ReadBack plain = testing::read_strictly(made, "amb");
    before_ = plain.floats(kWeight);
    const model::TensorEntry* weight = find_tensor(plain.model, kWeight);
    left_ = Matrix::named("left", weight->shape[0], 2);
    right_ = Matrix::named("right", 2, weight->shape[1]);
  }

  [[nodiscard]] ReadBack adapted_as(const Options& options) const {
    const std::string module = "base_model.model.model.layers.0.mlp.up_proj.";
    const auto adapter =
        peft({left_.tensor(module + "lora_B.weight"), right_.tensor(module + "lora_A.weight")});
    return testing::read_strictly(
        adapted(directory_.weights(), directory_.files, {adapter}, options), "amb");
  }
  [[nodiscard]] std::vector<float> expected_values() const {
    return merged(before_, left_, right_, 2);
  }
  static Options floats() { return to("amb", tensor::DType::F32); }

  DecoderDirectory directory_;
  std::vector<float> before_;
  Matrix left_;
  Matrix right_;
};

TEST_P(AdaptedDirectories, GetTheProducts) {
  const ReadBack read = adapted_as(floats());
  const std::vector<float> found = read.floats(kWeight);
  const std::vector<float> expected = expected_values();
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], std::abs(expected[i]) * 1e-5 + 1e-6) << i;
  }
}

// Codes that AMB keeps are made anew, in the same type.
TEST_P(AdaptedDirectories, KeepTheirTypes) {
  const auto plain = testing::run(directory_.weights(), directory_.files, to("amb"));
  const ReadBack before = testing::read_strictly(plain, "amb");
  const ReadBack read = adapted_as(to("amb"));
  EXPECT_EQ(find_tensor(read.model, kWeight)->dtype, find_tensor(before.model, kWeight)->dtype);
  const auto decoded = testing::run(read.file, SideFiles(), floats());
  const std::vector<float> found = testing::read_strictly(decoded, "amb").floats(kWeight);
  const std::vector<float> expected = expected_values();
  float largest = 0;
  for (const float value : expected) largest = std::max(largest, std::abs(value));
  ASSERT_EQ(found.size(), expected.size());
  // Four bits have 7 steps to either side.
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], largest / 7) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, AdaptedDirectories, ::testing::ValuesIn(testing::quantized_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ambry::convert
