// An embedding table, kept in the element type of its file. Rows are widened when they are used:
// the vocabulary's embeddings are the largest tensor of a small encoder, and few rows of it are
// read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "kernels/similarity/int8_dot.h"
#include "tensor/dtype/dtype.h"

namespace ambry::infer {

struct EmbeddingTable {
  uint64_t rows = 0;
  uint64_t cols = 0;
  tensor::DType dtype = tensor::DType::F32;
  AlignedBuffer values;
  // Integer types: value = (q - zero_point) * scale, one of each per row. Empty for float types.
  std::vector<float> scales;
  std::vector<float> zero_points;

  // Heap bytes.
  [[nodiscard]] uint64_t bytes() const {
    return values.size() + (scales.size() + zero_points.size()) * sizeof(float);
  }

  // Writes a row to `out`. row < rows, out.size() == cols.
  template <class V>
  void read_row(uint64_t row, std::span<float> out) const {
    if (dtype != tensor::DType::I8) return read_any(row, out);
    const auto r = static_cast<size_t>(row);
    kernels::dequantize_int8<V>(values.as<int8_t>().data() + r * out.size(), scales[r],
                                zero_points[r], out);
  }

 private:
  void read_any(uint64_t row, std::span<float> out) const;
};

}  // namespace ambry::infer
