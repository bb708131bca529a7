#include "convert/plan/vector_comparison.h"

#include <cassert>
#include <cmath>

namespace ambry::convert {

void RunningMean::add(double x) {
  ++count_;
  const double from_old = x - mean_;
  mean_ += from_old / static_cast<double>(count_);
  squares_ += from_old * (x - mean_);
}

double RunningMean::deviation() const {
  return count_ < 2 ? 0.0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

void VectorComparison::add(std::span<const float> before, std::span<const float> after) {
  assert(before.size() == after.size());
  double product = 0.0;
  double squares_before = 0.0;
  double squares_after = 0.0;
  double squares_between = 0.0;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto a = static_cast<double>(before[i]);
    const auto b = static_cast<double>(after[i]);
    product += a * b;
    squares_before += a * a;
    squares_after += b * b;
    squares_between += (a - b) * (a - b);
  }
  const double lengths = std::sqrt(squares_before) * std::sqrt(squares_after);
  const double nothing = squares_before == squares_after ? 1.0 : 0.0;
  ++rows;
  cosine.add(lengths > 0.0 ? product / lengths : nothing);
  distance.add(std::sqrt(squares_between));
}

}  // namespace ambry::convert
