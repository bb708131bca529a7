// Scales that have a minimum beside them (codec_layout.h).
#include <gtest/gtest.h>

#include <cmath>

#include "tensor/codec/repack.h"
#include "tensor/codec/stored_values.h"
#include "tensor/codec/with_minima.h"

namespace ambry::tensor {
namespace {

struct MinimaCase {
  DType dtype;
  uint64_t rows, cols;
  uint16_t block;
  DType scale_type;
};

// Rows that end inside blocks, bytes and units.
const MinimaCase kMinimaCases[] = {
    {DType::Int4Block, 3, 128, 64, DType::F16}, {DType::Int4Block, 5, 45, 32, DType::F32},
    {DType::Int5Block, 3, 45, 16, DType::F16},  {DType::Int8, 5, 37, 16, DType::F32},
    {DType::Int8, 4, 64, 32, DType::F16},       {DType::Int4, 4, 21, 6, DType::F16},
};

class Minima : public ::testing::TestWithParam<MinimaCase> {};

TEST_P(Minima, AreAddedToTheCodesTimesTheScale) {
  const MinimaCase& c = GetParam();
  const Shape shape{c.rows, c.cols};
  const WithMinima made = with_minima(c.dtype, shape, c.block, c.scale_type);
  const auto& [payload, how] = std::tie(made.encoded.payload, made.encoded.quantization);
  const auto all = decoded(c.dtype, shape, how, payload);
  ASSERT_TRUE(all) << describe(all.error());
  ASSERT_EQ(all->size(), made.values.size());
  for (size_t i = 0; i < all->size(); ++i) {
    ASSERT_NEAR((*all)[i], made.values[i], 1e-6 * made.largest[i]) << i;
  }
  for (const size_t step : {1U, 7U, 100U}) {
    EXPECT_EQ(*decoded(c.dtype, shape, how, payload, step, 5), *all) << step;
  }
  const auto stored = StoredValues::create(c.dtype, c.rows, c.cols, how, payload);
  ASSERT_TRUE(stored) << describe(stored.error());
  std::vector<float> row(static_cast<size_t>(c.cols));
  for (uint64_t r = 0; r < c.rows; ++r) {
    stored->read(r, 0, row);
    const auto from = all->begin() + static_cast<std::ptrdiff_t>(r * c.cols);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), from)) << r;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Minima, ::testing::ValuesIn(kMinimaCases), [](const auto& info) {
  return std::string(dtype_name(info.param.dtype)) + "_" + std::to_string(info.param.cols);
});

TEST(MinimaTest, MustBeFinite) {
  WithMinima made = with_minima(DType::Int4Block, {2, 16}, 8, DType::F16);
  const size_t third = kQuantPrefixBytes + 2 * (2 * 2 + 4);
  store_le<uint16_t>(&made.encoded.payload[third + 2], 0x7E00);
  const auto stored = StoredValues::create(DType::Int4Block, 2, 16, made.encoded.quantization,
                                           made.encoded.payload);
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().path, "scales[2]");
}

TEST(MinimaTest, BelongToBlocksOfOnePrecision) {
  Quantization how{8, DType::F16, 0};
  how.minima = true;
  EXPECT_EQ(payload_layout(DType::Adaptive, {2, 16}, how).error().path, "scale_type");
  how.block_size = 0;
  EXPECT_EQ(payload_layout(DType::Int8, {2, 16}, how).error().path, "scale_type");
}

TEST(MinimaTest, AreHeldByNoBlockTypeOfGgml) {
  Quantization how{kRepackedBlock, DType::F16, 0};
  EXPECT_EQ(block_type(DType::Int4Block, {2, 64}, how), DType::Q4_0);
  how.minima = true;
  EXPECT_EQ(block_type(DType::Int4Block, {2, 64}, how), std::nullopt);
}

}  // namespace
}  // namespace ambry::tensor
