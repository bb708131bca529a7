// 64 bins over a tensor's numbers, whose range nobody knows before the last has passed: finer bins
// over a range of a power of two about 0 take them, and the range doubles when a number leaves it.
// In the end neighbouring bins are joined, as few as make 64 cover all. Counts are exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/json/json.h"

namespace ambry::api {

class Histogram {
 public:
  // Finite numbers, none of them further from 0 than `greatest`.
  void add(std::span<const float> values, float greatest);
  // `n` times the same number.
  void add(float number, uint64_t n);
  // {low, high, counts}; null when no number was added.
  [[nodiscard]] io::Json document() const;

 private:
  static constexpr size_t kBins = 64;
  static constexpr size_t kFineBins = 4096;
  static constexpr int kFineBitsAside = 11;  // 2^11 bins on either side of 0
  static constexpr int kMiddle = 1 << kFineBitsAside;
  static constexpr int kMinExponent = -100;  // keeps the scale finite

  // Makes room for numbers up to `greatest`; returns the bins in a unit.
  float reach(float greatest);
  void widen(int exponent);

  int exponent_ = kMinExponent;  // the range is [-2^exponent, 2^exponent)
  std::vector<uint64_t> fine_;
};

}  // namespace ambry::api
