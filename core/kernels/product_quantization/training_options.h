// What a product quantizer is to be like and how long it is trained (quantizer_training.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::kernels {

enum class QuantizerKind : uint8_t { Plain, Optimized, GaussianOptimized };

struct TrainingOptions {
  QuantizerKind kind = QuantizerKind::Plain;
  size_t n_slices = 1;
  uint32_t bits = 8;  // of a code: 2^bits centroids a slice
  uint32_t iterations = 100;
  uint32_t attempts = 1;  // Optimized makes one, whatever is asked for
  uint64_t seed = 0;
};

}  // namespace ambry::kernels
