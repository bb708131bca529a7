#include "search/ivf/rotation.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "base/random.h"

namespace ambry::search {
namespace {

constexpr size_t kRounds = 4;
// Part of the file format: codes are of vectors that were rotated so.
constexpr uint64_t kRotationSeed = 0x5167;

// The Walsh-Hadamard transform of `n` values, a power of two.
void transform(float* values, size_t n) {
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t at = 0; at < n; at += 2 * half) {
      for (size_t i = at; i < at + half; ++i) {
        const float a = values[i];
        const float b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

}  // namespace

Rotation::Rotation(uint32_t dim)
    : size_(rotated_dim(dim)), width_(std::bit_floor(size_)), signs_(kRounds * size_) {
  Random random(kRotationSeed);
  for (float& sign : signs_) sign = (random.next() >> 63) == 0 ? 1.0F : -1.0F;
}

// The transforms take the first and the last values in turn, which overlap.
void Rotation::apply(std::span<const float> vector, std::span<float> to) const {
  assert(vector.size() <= size_ && to.size() == size_);
  std::ranges::copy(vector, to.begin());
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(vector.size()), to.end(), 0.0F);
  const float scale = 1.0F / std::sqrt(static_cast<float>(width_));
  for (size_t round = 0; round < kRounds; ++round) {
    const float* signs = signs_.data() + round * size_;
    for (size_t i = 0; i < size_; ++i) to[i] *= signs[i];
    float* const part = to.data() + (round % 2 == 0 ? 0 : size_ - width_);
    transform(part, width_);
    for (size_t i = 0; i < width_; ++i) part[i] *= scale;
  }
}

}  // namespace ambry::search
