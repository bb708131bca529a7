#include "infer/decoder/steps/keep_large.h"

#include <algorithm>
#include <cmath>

namespace ambry::infer {

void keep_large(float deviations, size_t width, std::span<float> rows) {
  const auto n = static_cast<double>(width);
  for (size_t at = 0; at < rows.size(); at += width) {
    const std::span<float> row = rows.subspan(at, width);
    double sum = 0;
    for (const float x : row) sum += static_cast<double>(x);
    const double mean = sum / n;
    double squares = 0;
    for (const float x : row) {
      const double off = static_cast<double>(x) - mean;
      squares += off * off;
    }
    const auto least =
        static_cast<float>(mean + std::sqrt(squares / n) * static_cast<double>(deviations));
    for (float& x : row) x = std::max(x - least, 0.0F);
  }
}

}  // namespace ambry::infer
