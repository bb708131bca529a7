#include "convert/plan/report.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ambry::convert {
namespace {

// Independent sums, so that the compiler can vectorize the loop.
constexpr size_t kLanes = 4;
struct Lanes {
  std::array<double, kLanes> at{};

  [[nodiscard]] double sum() const { return (at[0] + at[2]) + (at[1] + at[3]); }
};

}  // namespace

void ErrorSums::add(std::span<const float> before, std::span<const float> after) {
  assert(before.size() == after.size());
  Lanes most;
  Lanes difference;
  Lanes squares;
  Lanes squares_after;
  Lanes products;
  const auto take = [&](size_t i, size_t lane) {
    const auto x = static_cast<double>(before[i]);
    const auto y = static_cast<double>(after[i]);
    const double error = x - y;
    const double size = std::abs(error);
    most.at[lane] = size > most.at[lane] ? size : most.at[lane];
    difference.at[lane] += error * error;
    squares.at[lane] += x * x;
    squares_after.at[lane] += y * y;
    products.at[lane] += x * y;
  };
  size_t i = 0;
  for (; i + kLanes <= before.size(); i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) take(i + lane, lane);
  }
  for (; i < before.size(); ++i) take(i, 0);
  max_abs_ = std::max(max_abs_, std::ranges::max(most.at));
  difference_ += difference.sum();
  before_ += squares.sum();
  after_ += squares_after.sum();
  product_ += products.sum();
}

double ErrorSums::relative_error() const {
  if (difference_ == 0) return 0;
  return before_ == 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(difference_ / before_);
}

double ErrorSums::cosine() const {
  if (difference_ == 0) return 1;
  if (before_ == 0 || after_ == 0) return 0;
  return std::clamp(product_ / (std::sqrt(before_) * std::sqrt(after_)), -1.0, 1.0);
}

}  // namespace ambry::convert
