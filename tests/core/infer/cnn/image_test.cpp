#include "infer/cnn/image.h"

#include <gtest/gtest.h>

namespace ambry::infer {
namespace {

const model::CnnImage kPlain{{0, 0, 0}, {1, 1, 1}};

std::vector<float> read(const std::vector<uint8_t>& rgba, uint32_t width, uint32_t height,
                        const model::CnnImage& image, const model::CnnShape& shape) {
  std::vector<float> input(static_cast<size_t>(shape.count()));
  const auto result = image_to_input({width, height, rgba}, image, shape, input);
  EXPECT_TRUE(result) << describe(result.error());
  return input;
}

// Gray pixels of these values.
std::vector<uint8_t> grey(std::initializer_list<uint8_t> values) {
  std::vector<uint8_t> rgba;
  for (const uint8_t value : values) rgba.insert(rgba.end(), {value, value, value, 255});
  return rgba;
}

void expect_near(const std::vector<float>& values, const std::vector<float>& wanted) {
  ASSERT_EQ(values.size(), wanted.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], wanted[i], 1e-5F) << i;
}

TEST(CnnImageTest, NormalizesChannelByChannel) {
  const std::vector<uint8_t> rgba = {255, 0, 51, 255, 0, 255, 102, 255};
  const model::CnnImage image{{0.5F, 0.25F, 0}, {0.5F, 1, 0.1F}};
  expect_near(read(rgba, 2, 1, image, {3, 1, 2}), {1, -1, -0.25F, 0.75F, 2, 4});
}

TEST(CnnImageTest, TakesLumaForOneChannel) {
  const std::vector<uint8_t> rgba = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255};
  expect_near(read(rgba, 3, 1, {{0}, {1}}, {1, 1, 3}), {0.299F, 0.587F, 0.114F});
}

TEST(CnnImageTest, ShowsWhiteThroughTransparentPixels) {
  const std::vector<uint8_t> rgba = {9, 9, 9, 0, 0, 0, 0, 51};
  expect_near(read(rgba, 2, 1, {{0}, {1}}, {1, 1, 2}), {1, 0.8F});
}

TEST(CnnImageTest, CropsTheMiddleOrStretches) {
  const auto rgba = grey({0, 51, 102, 153});
  expect_near(read(rgba, 4, 1, {{0}, {1}, true}, {1, 1, 2}), {0.25F * 0.8F, 0.25F * 1.6F + 0.0F});
  expect_near(read(rgba, 4, 1, {{0}, {1}, false}, {1, 1, 4}), {0, 0.2F, 0.4F, 0.6F});
  EXPECT_EQ(read(grey({10, 20, 30}), 1, 3, {{0}, {1}, true}, {1, 1, 1})[0], 20.0F / 255);
}

// Enlarged twice: three quarters of the nearer pixel and a quarter of the other.
TEST(CnnImageTest, InterpolatesWhenEnlarging) {
  expect_near(read(grey({0, 255}), 2, 1, {{0}, {1}, false}, {1, 1, 4}), {0, 0.25F, 0.75F, 1});
}

TEST(CnnImageTest, AveragesEveryPixelWhenShrinking) {
  const auto values = read(grey({0, 0, 0, 255, 0, 0, 0, 0}), 8, 1, {{0}, {1}, false}, {1, 1, 1});
  EXPECT_GT(values[0], 0.1F);
  const std::vector<float> one =
      read(grey({77, 77, 77, 77, 77}), 5, 1, {{0}, {1}, false}, {1, 1, 2});
  expect_near(one, {77.0F / 255, 77.0F / 255});
}

TEST(CnnImageTest, RefusesMissingPixels) {
  std::vector<float> input(3);
  const std::vector<uint8_t> rgba(8);
  for (const auto& [width, height] : {std::pair(0U, 0U), std::pair(3U, 1U), std::pair(0U, 2U)}) {
    const auto result = image_to_input({width, height, rgba}, kPlain, {3, 1, 1}, input);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().path, "picture");
  }
}

}  // namespace
}  // namespace ambry::infer
