// Matrices as files store them, and the values of their elements.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/gemm/weight_matrix.h"
#include "tensor/codec/decode_payload.h"

namespace ambry::kernels {

// A matrix as stored in a file, and the values of its elements.
struct Stored {
  tensor::DType dtype;
  size_t rows, cols;  // of W, even if its transpose is stored
  bool transposed;
  std::optional<tensor::Quantization> how;
  tensor::Payload payload;
  std::vector<float> values;  // in the stored order

  [[nodiscard]] double at(size_t row, size_t col) const {
    return double{transposed ? values[col * rows + row] : values[row * cols + col]};
  }
  [[nodiscard]] Result<WeightMatrix> matrix(
      ActivationPrecision precision = ActivationPrecision::Int8) const {
    AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(payload.size()));
    std::ranges::copy(payload, bytes.data());
    return WeightMatrix::create(dtype, how, rows, cols, transposed, std::move(bytes), precision);
  }
};

// Random values, stored as `dtype`.
Stored store(tensor::DType dtype, size_t rows, size_t cols, uint16_t block, bool transposed);

// Every block type of ggml that a decoder can multiply by.
std::vector<tensor::DType> block_types();

// Random blocks of this type.
Stored store_blocks(tensor::DType dtype, size_t rows, size_t blocks_per_row);

}  // namespace ambry::kernels
