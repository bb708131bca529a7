// Payloads of ggml's K-quants, IQ4_XS and types with grids, and a reader of them that goes element
// by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tensor/dtype/dtype.h"

namespace ambry::kernels {

// Types with grids differ only in how a block is read, so one of each table of numbers is here.
inline constexpr tensor::DType kKQuants[] = {
    tensor::DType::Q2_K,  tensor::DType::Q3_K,   tensor::DType::Q4_K,   tensor::DType::Q5_K,
    tensor::DType::Q6_K,  tensor::DType::IQ4_XS, tensor::DType::IQ2_XS, tensor::DType::IQ3_XXS,
    tensor::DType::IQ3_S, tensor::DType::IQ1_S};

// An element: number * scale - minimum, as doubles and as ggml's reference computes it in float.
struct KQuantValue {
  double value;
  double magnitude;  // |number * scale| + |minimum|
  float reference;
};

// Element i of a block.
KQuantValue k_quant_value(tensor::DType dtype, const uint8_t* block, size_t i);

struct KQuantMatrix {
  tensor::DType dtype;
  size_t rows;
  size_t cols;
  std::vector<uint8_t> payload;

  [[nodiscard]] uint8_t* block(size_t row, size_t b);
  [[nodiscard]] KQuantValue at(size_t row, size_t col) const;
  // Writes the halves of every block.
  void set_scales(float d, float dmin);
};

// Random codes, scales and minima.
KQuantMatrix random_k_quants(tensor::DType dtype, size_t rows, size_t cols);
// All bytes the same, but for d and dmin, which are 1.
KQuantMatrix uniform_k_quants(tensor::DType dtype, size_t rows, size_t cols, uint8_t byte);
// Where a block has d.
size_t place_of_d(tensor::DType dtype);

}  // namespace ambry::kernels
