// Vectors that lie in groups, as those of texts do.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace ambry::search {

class VectorMaker {
 public:
  VectorMaker(uint32_t dim, uint32_t n_groups, uint64_t seed = 7) : dim_(dim), random_(seed) {
    centers_.resize(size_t{dim} * n_groups);
    for (float& x : centers_) x = number();
  }

  // Uniform from -1 to 1.
  float number() { return static_cast<float>(random_.next() >> 40) / 8388608.0F - 1.0F; }

  // The group of vector i is i % n_groups.
  std::vector<float> rows(size_t n, float spread) {
    std::vector<float> result(n * dim_);
    for (size_t i = 0; i < result.size(); ++i) {
      const size_t group = i / dim_ % (centers_.size() / dim_);
      result[i] = centers_[group * dim_ + i % dim_] + spread * number();
    }
    return result;
  }

 private:
  uint32_t dim_;
  Random random_;
  std::vector<float> centers_;
};

}  // namespace ambry::search
