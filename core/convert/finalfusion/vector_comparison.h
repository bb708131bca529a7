// How near vectors are to what became of them, as the reference tools print it: the mean cosine and
// the mean Euclidean distance over all rows, with their standard deviations.
#pragma once

#include <cstdint>
#include <span>

namespace ambry::convert {

// Mean and deviation of numbers that come one by one (Welford, 1962).
class RunningMean {
 public:
  void add(double x);
  [[nodiscard]] double mean() const { return mean_; }
  // Of the sample; 0 for one number or none.
  [[nodiscard]] double deviation() const;

 private:
  uint64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;  // of the distances from the mean
};

struct VectorComparison {
  uint64_t rows = 0;
  RunningMean cosine;  // 1 for a row of zeros that stayed one
  RunningMean distance;

  void add(std::span<const float> before, std::span<const float> after);
};

}  // namespace ambry::convert
