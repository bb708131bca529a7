// A query over int8 rows. Integer products quickly give a proven upper bound of a row's score;
// float products give the score.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::search {

class Int8Query {
 public:
  // Borrows the query, whose values must be finite.
  explicit Int8Query(std::span<const float> query);

  // The row's dot product with the query, computed in f32. `row` begins with its scale.
  [[nodiscard]] float score(const uint8_t* row) const;

  // At least score(), unless that is NaN, however this build rounds. With query = step * codes +
  // rest and row = scale * bytes,
  //
  //   score = scale * (step * codes·bytes + rest·bytes) + rounding
  //
  // Here codes·bytes is exact and |rest·bytes| <= 128 Σ|rest|. A sum of n terms, in any order, has
  // an error of at most n 2^-24 Σ|terms| (Higham, Accuracy and Stability of Numerical Algorithms,
  // 3.1), and the scale adds one more rounding.
  [[nodiscard]] double upper_bound(const uint8_t* row) const;

 private:
  std::span<const float> query_;
  std::vector<int16_t> codes_;
  double step_ = 0;
  double margin_ = 0;
};

}  // namespace ambry::search
