// Compares vectors before and after a change, as the reference tools do: the mean cosine and the
// mean Euclidean distance over all rows, with their standard deviations.
#pragma once

#include <cstdint>
#include <span>

namespace ambry::convert {

// The mean and deviation of values that come one by one (Welford, 1962).
class RunningMean {
 public:
  void add(double x);
  [[nodiscard]] double mean() const { return mean_; }
  // The deviation of the sample; 0 for at most one value.
  [[nodiscard]] double deviation() const;

 private:
  uint64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;  // squared distances from the mean
};

struct VectorComparison {
  uint64_t rows = 0;
  RunningMean cosine;  // 1 for a row of zeros that stays zero
  RunningMean distance;

  void add(std::span<const float> before, std::span<const float> after);
};

}  // namespace ambry::convert
