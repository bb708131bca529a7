#include "api/files/validate/histogram.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/statistics.h"
#include "simd/isa.h"

namespace ambry::api {

void Histogram::add(std::span<const float> values, float max_magnitude) {
  const float scale = extend_to(max_magnitude);
  kernels::count_into_bins<simd::Best>(values, scale, fine_);
}

void Histogram::add(float number, uint64_t n) {
  const float scale = extend_to(std::fabs(number));
  const int bin = static_cast<int>(std::floor(number * scale)) + kMiddle;
  fine_[static_cast<size_t>(bin)] += n;
}

float Histogram::extend_to(float max_magnitude) {
  int exponent = kMinExponent;
  if (max_magnitude > 0.0F) std::frexp(max_magnitude, &exponent);  // max_magnitude < 2^exponent
  if (fine_.empty()) {
    fine_.resize(kFineBins);
    exponent_ = std::max(exponent, kMinExponent);
  } else if (exponent > exponent_) {
    widen(exponent);
  }
  return std::ldexp(1.0F, kFineBitsAside - exponent_);
}

// Bins that fall into the same wider bin are added.
void Histogram::widen(int exponent) {
  const int shift = std::min(exponent - exponent_, 31);
  std::vector<uint64_t> wider(kFineBins);
  for (size_t i = 0; i < kFineBins; ++i) {
    const int from_zero = static_cast<int>(i) - kMiddle;
    const int joined = (from_zero >> shift) + kMiddle;
    wider[static_cast<size_t>(joined)] += fine_[i];
  }
  fine_ = std::move(wider);
  exponent_ = exponent;
}

io::Json Histogram::document() const {
  if (fine_.empty()) return {};
  const auto filled = [](uint64_t count) { return count > 0; };
  const auto first = static_cast<size_t>(std::ranges::find_if(fine_, filled) - fine_.begin());
  size_t last = kFineBins - 1;
  while (fine_[last] == 0) --last;
  const size_t joined = (last - first) / kBins + 1;
  const double fine_width = std::ldexp(1.0, exponent_ - kFineBitsAside);
  const double low = (static_cast<double>(first) - kMiddle) * fine_width;
  io::Json counts = io::Json::array();
  for (size_t bin = 0; bin < kBins; ++bin) {
    uint64_t count = 0;
    for (size_t i = first + bin * joined; i < first + (bin + 1) * joined && i < kFineBins; ++i) {
      count += fine_[i];
    }
    counts.append(count);
  }
  io::Json document = io::Json::object();
  document.set("low", low);
  document.set("high", low + static_cast<double>(kBins * joined) * fine_width);
  document.set("counts", std::move(counts));
  return document;
}

}  // namespace ambry::api
