// Trains a quantizer in one call, and encodes and reconstructs rows with it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/product_quantization/quantizer_training.h"
#include "kernels/test_random.h"

namespace ambry::kernels::testing {

// In [0, 1).
inline std::vector<float> uniform_rows(size_t n, size_t dims, uint64_t seed) {
  std::vector<float> rows = TestRandom(seed).floats(n * dims, 0.5F);
  for (float& x : rows) x += 0.5F;
  return rows;
}

inline ProductQuantizer train(const std::vector<float>& rows, size_t dims,
                              const TrainingOptions& options) {
  auto copy = AlignedBuffer::allocate(rows.size() * sizeof(float));
  EXPECT_TRUE(copy);
  std::ranges::copy(rows, copy->as<float>().begin());
  const auto checked = check_training(options, rows.size() / dims, dims);
  EXPECT_TRUE(checked) << describe(checked.error());
  QuantizerTraining training(std::move(*copy), dims, options);
  double before = 0;
  for (;;) {
    const auto more = training.step();
    EXPECT_TRUE(more);
    EXPECT_GE(training.progress(), before);
    before = training.progress();
    if (!more || !*more) break;
  }
  EXPECT_EQ(before, 1.0);
  return training.take();
}

inline std::vector<uint8_t> encode(const ProductQuantizer& quantizer,
                                   const std::vector<float>& rows) {
  const size_t n = rows.size() / quantizer.shape.dims;
  std::vector<uint8_t> codes(n * quantizer.shape.n_slices);
  auto encoder = VectorEncoder::begin(quantizer);
  EXPECT_TRUE(encoder);
  encoder->encode(rows.data(), n, codes.data());
  return codes;
}

inline std::vector<float> reconstruct(const ProductQuantizer& quantizer,
                                      const std::vector<uint8_t>& codes) {
  const QuantizerShape& shape = quantizer.shape;
  std::vector<float> scratch(shape.dims);
  std::vector<float> rows(codes.size() / shape.n_slices * shape.dims);
  for (size_t i = 0; i * shape.dims < rows.size(); ++i) {
    quantizer.reconstruct(codes.data() + i * shape.n_slices,
                          std::span(rows).subspan(i * shape.dims, shape.dims), scratch);
  }
  return rows;
}

// The mean distance between rows and their reconstructions.
inline double mean_distance(const ProductQuantizer& quantizer, const std::vector<float>& rows) {
  const std::vector<float> after = reconstruct(quantizer, encode(quantizer, rows));
  const size_t dims = quantizer.shape.dims;
  double sum = 0;
  for (size_t row = 0; row < rows.size(); row += dims) {
    double square = 0;
    for (size_t i = row; i < row + dims; ++i) {
      const double difference = double{rows[i]} - double{after[i]};
      square += difference * difference;
    }
    sum += std::sqrt(square);
  }
  return sum * static_cast<double>(dims) / static_cast<double>(rows.size());
}

}  // namespace ambry::kernels::testing
