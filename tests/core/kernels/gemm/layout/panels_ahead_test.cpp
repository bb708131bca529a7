// A weight of many panels, of which the next ones are read ahead, gives the bits of its panels
// alone.
#include "kernels/gemm/layout/panels_ahead.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/gemm/weight_matrix.h"
#include "kernels/test_random.h"
#include "simd/all_isas.h"
#include "tensor/codec/reference_blocks.h"
#include "tensor/codec/with_minima.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

constexpr size_t kManyRows = 83;  // eleven panels, so that the last ones have none after them

Result<WeightMatrix> many_panels(DType dtype, size_t cols) {
  std::optional<tensor::Quantization> how;
  std::vector<uint8_t> payload;
  if (tensor::block_of(dtype).elements != 0) {
    payload = tensor::testing::random_blocks(
        dtype, kManyRows * cols / tensor::block_of(dtype).elements, 5);
  } else {
    auto made = tensor::with_minima(dtype, {kManyRows, cols}, 32, DType::F16);
    how = made.encoded.quantization;
    payload = std::move(made.encoded.payload);
  }
  AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(payload.size()));
  std::ranges::copy(payload, bytes.data());
  return WeightMatrix::create(dtype, how, kManyRows, cols, false, std::move(bytes));
}

template <class V>
class PanelsAheadTest : public ::testing::Test {};
TYPED_TEST_SUITE(PanelsAheadTest, TypedIsas, IsaNames);

TYPED_TEST(PanelsAheadTest, ChangesNoBits) {
  TestRandom random(8);
  for (const DType dtype : {DType::Int4Block, DType::Int8, DType::Q4_K, DType::Q6_K}) {
    const size_t cols = 512;
    const auto matrix = many_panels(dtype, cols);
    ASSERT_TRUE(matrix) << describe(matrix.error());
    for (const size_t n : {1U, 3U}) {
      const std::vector<float> x = random.floats(n * cols);
      std::vector<float> scratch(matrix->scratch_floats(n));
      std::vector<float> together(n * kManyRows);
      std::vector<float> apart(n * kManyRows);
      matrix->template multiply<TypeParam>(x.data(), n, together.data(), scratch);
      for (size_t panel = 0; panel < n_panels(kManyRows); ++panel) {
        matrix->template multiply<TypeParam>(x.data(), n, apart.data(), scratch,
                                             PanelRange{panel, panel + 1});
      }
      EXPECT_EQ(together, apart) << tensor::dtype_name(dtype);
    }
  }
}

}  // namespace
}  // namespace ambry::kernels
