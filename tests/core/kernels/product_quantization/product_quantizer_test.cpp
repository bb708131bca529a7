#include "kernels/product_quantization/product_quantizer.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/train_quantizer.h"
#include "tensor/word_norm.h"

namespace ambry::kernels {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers

// Two slices of three dimensions with two centroids each.
ProductQuantizer small() { return {{6, 2, 2}, {}, {1, 0, 0, 0, 1, 0, 1, -1, 0, 0, 1, 0}}; }

TEST(ProductQuantizer, EncodesAndJoinsCentroids) {
  const std::vector<float> rows = {0,     2,    0, -0.5F, 0,  0, 1, -0.2F, 0, 0.5F, 0.5F, 0,
                                   -0.2F, 0.2F, 0, 0,     -2, 0, 1, 0.2F,  0, 0,    -2,   0};
  const std::vector<uint8_t> codes = encode(small(), rows);
  EXPECT_EQ(codes, (std::vector<uint8_t>{1, 1, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(reconstruct(small(), codes),
            (std::vector<float>{0, 1, 0, 0, 1,  0, 1, 0, 0, 0, 1,  0,
                                0, 1, 0, 1, -1, 0, 1, 0, 0, 1, -1, 0}));
}

TEST(ProductQuantizer, RotatesThereAndBack) {
  // x · P moves each element one place on.
  ProductQuantizer rotated = small();
  rotated.projection.resize(36);
  for (size_t i = 0; i < 6; ++i) rotated.projection[i * 6 + (i + 1) % 6] = 1.0F;
  const std::vector<float> row = {2, 0, -0.5F, 0, 0, 0};  // becomes 0, 2, 0, -0.5, 0, 0
  const std::vector<uint8_t> codes = encode(rotated, row);
  EXPECT_EQ(codes, (std::vector<uint8_t>{1, 1}));
  EXPECT_EQ(reconstruct(rotated, codes), (std::vector<float>{1, 0, 0, 1, 0, 0}));
}

TEST(ProductQuantizer, SumsInTheReferencesOrder) {
  constexpr size_t kDims = 20;
  ProductQuantizer quantizer{
      {kDims, 2, 2}, uniform_rows(kDims, kDims, 1), uniform_rows(2, kDims, 2)};
  const std::vector<uint8_t> codes = {1, 0};
  std::vector<float> joined(quantizer.centroids.begin() + 10, quantizer.centroids.begin() + 30);
  const std::vector<float> row = reconstruct(quantizer, codes);
  for (size_t i = 0; i < kDims; ++i) {
    EXPECT_EQ(row[i],
              tensor::word_dot(joined, std::span(quantizer.projection).subspan(i * kDims, kDims)));
  }
}

TEST(ProductQuantizer, EncodesAnyNumberOfRowsAlike) {
  const std::vector<float> rows = uniform_rows(21, 6, 3);
  const std::vector<uint8_t> all = encode(small(), rows);
  for (size_t row = 0; row < 21; ++row) {
    const std::vector<float> alone(rows.begin() + static_cast<std::ptrdiff_t>(row * 6),
                                   rows.begin() + static_cast<std::ptrdiff_t>(row * 6 + 6));
    const std::vector<uint8_t> codes = encode(small(), alone);
    EXPECT_EQ(codes, std::vector<uint8_t>(all.begin() + static_cast<std::ptrdiff_t>(row * 2),
                                          all.begin() + static_cast<std::ptrdiff_t>(row * 2 + 2)));
  }
}

}  // namespace
}  // namespace ambry::kernels
