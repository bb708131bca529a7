// A query over rows of bytes. Whole numbers say fast, and with a proven bound, how high a row can
// score; floats say what it scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::search {

class Int8Query {
 public:
  // Borrows the query, whose numbers are finite.
  explicit Int8Query(std::span<const float> query);

  // The row's dot product with the query, worked out in f32. `row` begins with its scale.
  [[nodiscard]] float score(const uint8_t* row) const;

  // No less than score(), unless that is NaN, whatever the flavour rounds. The query is
  // step * codes + rest, the row scale * bytes, and so
  //
  //   score = scale * (step * codes·bytes + rest·bytes) + rounding
  //
  // where codes·bytes is exact, |rest·bytes| <= 128 Σ|rest|, and n terms added in any order are
  // wrong by n 2^-24 Σ|terms| at most (Higham, Accuracy and Stability of Numerical Algorithms, 3.1)
  // and one more for the scale.
  [[nodiscard]] double upper_bound(const uint8_t* row) const;

 private:
  std::span<const float> query_;
  std::vector<int16_t> codes_;
  double step_ = 0;
  double margin_ = 0;
};

}  // namespace ambry::search
