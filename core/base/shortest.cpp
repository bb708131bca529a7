#include "base/shortest.h"

#include <cmath>

namespace ambry {

double shortest_double(float value) {
  const double exact = value;
  const double magnitude = std::fabs(exact);
  // Powers of ten up to 10^22 are exact doubles, so one division rounds correctly.
  if (!(magnitude >= 1e-13 && magnitude < 1e9)) return exact;
  double scale = 1;
  while (magnitude * scale < 1 && scale < 1e22) scale *= 10;
  for (int digits = 0; digits < 9 && scale <= 1e22; ++digits, scale *= 10) {
    const double candidate = std::round(exact * scale) / scale;
    if (static_cast<float>(candidate) == value) return candidate;
  }
  return exact;
}

}  // namespace ambry
