// A histogram with 64 bins of a tensor's values, whose range is unknown until the last value.
// Values are counted in finer bins over a power-of-two range around 0, and the range doubles when a
// value is outside. At the end, neighbouring bins are joined, as few as needed for 64 bins. Counts
// are exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/json/json.h"

namespace ambry::api {

class Histogram {
 public:
  // Adds finite values with a magnitude of at most `max_magnitude`.
  void add(std::span<const float> values, float max_magnitude);
  // Adds `n` times the same value.
  void add(float number, uint64_t n);
  // {low, high, counts}, or null when no value was added.
  [[nodiscard]] io::Json document() const;

 private:
  static constexpr size_t kBins = 64;
  static constexpr size_t kFineBins = 4096;
  static constexpr int kFineBitsAside = 11;  // 2^11 bins on either side of 0
  static constexpr int kMiddle = 1 << kFineBitsAside;
  static constexpr int kMinExponent = -100;  // keeps the scale finite

  // Extends the range to `max_magnitude`. Returns the number of bins in a unit.
  float extend_to(float max_magnitude);
  void widen(int exponent);

  int exponent_ = kMinExponent;  // the range is [-2^exponent, 2^exponent)
  std::vector<uint64_t> fine_;
};

}  // namespace ambry::api
