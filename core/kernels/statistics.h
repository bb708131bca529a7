// Statistics of a run of values: counts, extremes, moments and histogram bins. Every float is exact
// in a double, and the moments are taken about one of the run's own values. With n values, n times
// the variance is at least the squared distance of that value from the mean, so cancellation costs
// at most log2(n) of the 53 bits, whatever the mean.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace ambry::kernels {

struct RunStatistics {
  uint64_t finite = 0;
  uint64_t nan = 0;
  uint64_t infinite = 0;
  uint64_t zeros = 0;
  uint64_t denormals = 0;
  // The least and the largest of the finite values.
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  double shift = 0.0;
  double sum = 0.0;          // of x - shift
  double sum_squares = 0.0;  // of (x - shift)²
};

inline constexpr size_t kRunLength = 1024;

// `values` are finite and at least one.
template <class V>
[[nodiscard]] RunStatistics finite_statistics(std::span<const float> values, float least_normal) {
  const auto shift = V::splat64(static_cast<double>(values[0]));
  const auto least = V::splat(least_normal);
  auto low = V::splat(values[0]);
  auto high = low;
  auto zeros = V::no_count();
  auto small = V::no_count();
  auto sum = V::splat64(0.0);
  auto squares = sum;
  size_t i = 0;
  for (; i + V::kLanes <= values.size(); i += V::kLanes) {
    const auto x = V::load(&values[i]);
    low = V::min(low, x);
    high = V::max(high, x);
    zeros = V::count(zeros, V::equal(x, V::zero()));
    small = V::count(small, V::less(V::abs(x), least));
    const auto d = V::sub64(V::widen(x), shift);
    sum = V::add64(sum, d);
    squares = V::add64(squares, V::mul64(d, d));
  }
  RunStatistics run;
  run.finite = values.size();
  run.zeros = V::reduce_count(zeros);
  run.denormals = V::reduce_count(small);
  run.min = V::reduce_min(low);
  run.max = V::reduce_max(high);
  run.shift = static_cast<double>(values[0]);
  run.sum = V::reduce_add64(sum);
  run.sum_squares = V::reduce_add64(squares);
  for (; i < values.size(); ++i) {
    const float x = values[i];
    run.min = std::fmin(run.min, x);
    run.max = std::fmax(run.max, x);
    if (x == 0.0F) ++run.zeros;
    if (std::fabs(x) < least_normal) ++run.denormals;
    const double d = static_cast<double>(x) - run.shift;
    run.sum += d;
    run.sum_squares += d * d;
  }
  // Zeros are also below the smallest normal number, where the type has denormals.
  if (least_normal > 0.0F) run.denormals -= run.zeros;
  return run;
}

template <class V>
[[nodiscard]] bool all_finite(std::span<const float> values) {
  auto finite = V::no_count();
  size_t i = 0;
  for (; i + V::kLanes <= values.size(); i += V::kLanes) {
    const auto x = V::load(&values[i]);
    finite = V::count(finite, V::equal(V::sub(x, x), V::zero()));
  }
  if (V::reduce_count(finite) != i) return false;
  for (; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return false;
  }
  return true;
}

// `values` are finite.
template <class V>
[[nodiscard]] double sum_of_squares(std::span<const float> values) {
  auto sum = V::splat64(0.0);
  size_t i = 0;
  for (; i + V::kLanes <= values.size(); i += V::kLanes) {
    const auto x = V::widen(V::load(&values[i]));
    sum = V::add64(sum, V::mul64(x, x));
  }
  double total = V::reduce_add64(sum);
  for (; i < values.size(); ++i) {
    const auto x = static_cast<double>(values[i]);
    total += x * x;
  }
  return total;
}

// Adds values to bins of width 1 / scale. The middle bin starts at 0. All values must fall into the
// bins. With a power of two as scale no value falls into a neighboring bin.
template <class V>
void count_into_bins(std::span<const float> values, float scale, std::span<uint64_t> bins) {
  uint64_t* const middle = bins.data() + bins.size() / 2;
  const auto factor = V::splat(scale);
  size_t i = 0;
  for (; i + V::kLanes <= values.size(); i += V::kLanes) {
    std::array<int32_t, V::kLanes> bin;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    V::store_truncated_i32(bin.data(), V::floor(V::mul(V::load(&values[i]), factor)));
    for (const int32_t b : bin) ++middle[b];
  }
  for (; i < values.size(); ++i) {
    ++middle[static_cast<int32_t>(std::floor(values[i] * scale))];
  }
}

}  // namespace ambry::kernels
