// The options of a product quantizer and its training (quantizer_training.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::kernels {

enum class QuantizerKind : uint8_t { Plain, Optimized, GaussianOptimized };

struct TrainingOptions {
  QuantizerKind kind = QuantizerKind::Plain;
  size_t n_slices = 1;
  uint32_t bits = 8;  // of a code: 2^bits centroids per slice
  uint32_t iterations = 100;
  uint32_t attempts = 1;  // Optimized always makes one
  uint64_t seed = 0;
};

}  // namespace ambry::kernels
