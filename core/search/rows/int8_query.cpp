#include "search/rows/int8_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "kernels/similarity/int8_dot.h"
#include "search/rows/rows.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

constexpr double kMaxMagnitude = 128;
// Twice what n roundings cost; the extra terms cover the rounding of the scale and of the bound
// itself.
constexpr double kRounding = 0x1p-23;
constexpr double kOtherTerms = 16;
// What a scaled product loses when it is too small for a float.
constexpr double kSmallest = std::numeric_limits<float>::denorm_min();
// Beyond this total a float sum may overflow on the way, and there is no bound.
constexpr double kMaxBoundedTotal = 1e30;

const int8_t* codes_of(const uint8_t* row) {
  return reinterpret_cast<const int8_t*>(row + kScaleSize);
}

}  // namespace

Int8Query::Int8Query(std::span<const float> query) : query_(query), codes_(query.size()) {
  const auto n = static_cast<double>(query.size());
  double total = 0;
  double largest = 0;
  for (const double x : query) {
    total += std::abs(x);
    largest = std::max(largest, std::abs(x));
  }
  // As fine as 32-bit sums and 16-bit codes allow.
  const double limit = std::min<double>(INT16_MAX, std::floor(INT32_MAX / (kMaxMagnitude * n)));
  step_ = largest / limit;
  double rest = 0;
  for (size_t i = 0; i < query.size() && step_ > 0; ++i) {
    const double x = query[i];
    codes_[i] = static_cast<int16_t>(std::floor(x / step_ + 0.5));
    rest += std::abs(x - step_ * codes_[i]);
  }
  margin_ = kMaxMagnitude * (rest + (n + kOtherTerms) * kRounding * total);
  if (total > kMaxBoundedTotal) margin_ = std::numeric_limits<double>::max();
}

float Int8Query::score(const uint8_t* row) const {
  return load_le<float>(row) * kernels::dot_int8<simd::Best>(query_, codes_of(row));
}

double Int8Query::upper_bound(const uint8_t* row) const {
  const double product = kernels::dot_int8<simd::Best>(codes_, codes_of(row));
  return double{load_le<float>(row)} * (step_ * product + margin_) + kSmallest;
}

}  // namespace ambry::search
