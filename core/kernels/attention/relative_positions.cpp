#include "kernels/attention/relative_positions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ambry::kernels {

std::vector<float> alibi_slopes(uint32_t n_heads) {
  const uint32_t whole = std::bit_floor(n_heads);
  std::vector<float> slopes;
  for (uint32_t i = 0; i < n_heads; ++i) {
    const double step = i < whole ? 8.0 * (i + 1) : 4.0 * (2.0 * (i - whole) + 1);
    // Positions need pow() besides. exp2() would bring 2 KB of tables along.
    slopes.push_back(static_cast<float>(std::pow(2.0, -step / whole)));
  }
  return slopes;
}

uint32_t t5_bucket(int64_t distance, uint32_t n_buckets, uint32_t max_distance) {
  const uint32_t half = n_buckets / 2;
  const uint32_t exact = half / 2;
  const uint32_t side = distance > 0 ? half : 0;
  const auto far = static_cast<uint64_t>(distance < 0 ? -distance : distance);
  if (far < exact) return side + static_cast<uint32_t>(far);
  if (far >= max_distance) return side + half - 1;
  // In float, where the models' code computes it: a distance may lie on the edge of a bucket.
  const float growth = static_cast<float>(far) / static_cast<float>(exact);
  const float ratio = static_cast<float>(std::log(static_cast<double>(growth))) /
                      static_cast<float>(std::log(static_cast<double>(max_distance) / exact));
  const float large = ratio * static_cast<float>(half - exact);
  const auto bucket = static_cast<uint64_t>(std::min(large, static_cast<float>(half)));
  return side + static_cast<uint32_t>(std::min<uint64_t>(exact + bucket, half - 1));
}

uint32_t deberta_place(int64_t distance, uint32_t n_buckets, uint32_t max_distance) {
  const int64_t span = n_buckets > 0 ? n_buckets : max_distance;
  const int64_t middle = n_buckets / 2;
  const int64_t far = distance < 0 ? -distance : distance;
  int64_t bucket = far;
  if (n_buckets > 0 && far > middle) {
    const auto from = static_cast<double>(middle);
    const double ratio = std::log(static_cast<double>(far) / from) /
                         std::log((static_cast<double>(max_distance) - 1) / from);
    const double beyond = std::ceil(ratio * (from - 1));
    bucket = middle + static_cast<int64_t>(std::min(beyond, static_cast<double>(span)));
  }
  // The model counts from the key to the query.
  const int64_t place = span + (distance > 0 ? -bucket : bucket);
  return static_cast<uint32_t>(std::clamp<int64_t>(place, 0, 2 * span - 1));
}

}  // namespace ambry::kernels
