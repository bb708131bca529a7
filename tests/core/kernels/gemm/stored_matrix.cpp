#include "kernels/gemm/stored_matrix.h"

#include <gtest/gtest.h>

#include "kernels/test_random.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/decode_payload.h"
#include "tensor/codec/reference_blocks.h"
#include "tensor/dtype/convert.h"

namespace ambry::kernels {

using tensor::DType;

static Stored store_plain(DType dtype, size_t rows, size_t cols, bool transposed) {
  TestRandom random(rows * 100 + cols);
  const std::vector<float> values = random.floats(rows * cols);
  Stored stored{dtype, rows, cols, transposed, std::nullopt, {}, values};
  stored.payload.resize(values.size() * tensor::dtype_size(dtype));
  EXPECT_TRUE(tensor::from_f32(dtype, values, stored.payload));
  EXPECT_TRUE(tensor::to_f32(dtype, stored.payload, stored.values));
  return stored;
}

Stored store(DType dtype, size_t rows, size_t cols, uint16_t block, bool transposed) {
  if (tensor::is_plain(dtype)) return store_plain(dtype, rows, cols, transposed);
  TestRandom random(rows * 100 + cols);
  const std::vector<float> values = random.floats(rows * cols);
  const tensor::Shape shape = transposed ? tensor::Shape{cols, rows} : tensor::Shape{rows, cols};
  tensor::EncodeOptions options{.block_size = block};
  const DType mixed[] = {DType::F16, DType::Int8, DType::Int4, DType::Int5};
  std::vector<DType> precisions;
  if (dtype == DType::Adaptive) {
    const size_t n_blocks = shape[0] * ((shape[1] + block - 1) / block);
    for (size_t i = 0; i < n_blocks; ++i) precisions.push_back(mixed[(i * 7 + i / 5) % 4]);
    options.precisions = precisions;
  }
  auto encoded = tensor::encode(dtype, shape, values, options);
  EXPECT_TRUE(encoded) << describe(encoded.error());
  Stored stored{dtype, rows, cols, transposed, encoded->quantization, encoded->payload, {}};
  stored.values = tensor::values_of(dtype, shape, *encoded);
  return stored;
}

std::vector<DType> block_types() {
  std::vector<DType> types = tensor::testing::reference_types();
  std::erase_if(types, [](DType dtype) { return !tensor::can_run_blocks(dtype); });
  return types;
}

Stored store_blocks(DType dtype, size_t rows, size_t blocks_per_row) {
  const tensor::Block block = tensor::block_of(dtype);
  const size_t n_blocks = rows * blocks_per_row;
  const std::vector<uint8_t> blocks = tensor::testing::random_blocks(dtype, n_blocks, rows);
  Stored stored{dtype, rows, blocks_per_row * block.elements, false, std::nullopt, {}, {}};
  stored.payload.assign(blocks.begin(), blocks.end());
  // With random exponents one term of a sum would be larger than all others together.
  for (size_t i = 0; dtype == DType::MXFP4 && i < n_blocks; ++i) {
    stored.payload[i * block.bytes] = static_cast<uint8_t>(120 + i % 9);
  }
  stored.values.resize(n_blocks * block.elements);
  EXPECT_TRUE(tensor::decode_blocks(dtype, stored.payload, stored.values));
  return stored;
}

}  // namespace ambry::kernels
