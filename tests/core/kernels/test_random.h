// Deterministic pseudo-random test values, the same in every build.
#pragma once

#include <cstdint>
#include <vector>

namespace ambry {

class TestRandom {
 public:
  explicit TestRandom(uint64_t seed) : state_(seed) {}

  uint64_t bits() {  // splitmix64
    state_ += 0x9E3779B97F4A7C15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  // In [-1, 1).
  float next() { return static_cast<float>(bits() >> 40) / 8388608.0F - 1.0F; }

  std::vector<float> floats(size_t n, float factor = 1.0F) {
    std::vector<float> values(n);
    for (float& x : values) x = factor * next();
    return values;
  }

 private:
  uint64_t state_;
};

}  // namespace ambry
