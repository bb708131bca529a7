// A fixed rotation that spreads what a vector has in few dimensions over all of them, so that the
// signs of its values say equally much. Rounds of sign changes and Hadamard transforms: n log n
// additions, and nothing to store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::search {

// Rotated vectors have a multiple of this many values. Zeros are put behind shorter ones.
inline constexpr uint32_t kRotatedMultiple = 128;

[[nodiscard]] constexpr uint32_t rotated_dim(uint32_t dim) {
  return (dim + kRotatedMultiple - 1) / kRotatedMultiple * kRotatedMultiple;
}

class Rotation {
 public:
  explicit Rotation(uint32_t dim);

  // The number of values of a rotated vector.
  [[nodiscard]] size_t size() const { return size_; }

  // `to` has size() values. The length of the vector stays.
  void apply(std::span<const float> vector, std::span<float> to) const;

 private:
  size_t size_;
  size_t width_;              // of a transform: the largest power of two that is not above size_
  std::vector<float> signs_;  // 1 or -1, a row of size_ for each round
};

}  // namespace ambry::search
