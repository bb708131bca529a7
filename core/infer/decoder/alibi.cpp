#include "infer/decoder/alibi.h"

#include <bit>
#include <cmath>

namespace ambry::infer {

std::vector<float> alibi_slopes(uint32_t n_heads) {
  const uint32_t whole = std::bit_floor(n_heads);
  std::vector<float> slopes(n_heads);
  for (uint32_t i = 0; i < n_heads; ++i) {
    const double exponent = i < whole ? 8.0 * (i + 1) / whole : 4.0 * (2 * (i - whole) + 1) / whole;
    slopes[i] = static_cast<float>(std::exp2(-exponent));
  }
  return slopes;
}

}  // namespace ambry::infer
