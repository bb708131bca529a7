// The plane in which vectors vary most: their first two principal components, by subspace
// iteration over a sample. It starts from fixed numbers, so equal rows give equal points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ambry::search {

class PrincipalPlane {
 public:
  // Borrows rows of `dim` finite values, at least one.
  PrincipalPlane(std::span<const float> rows, size_t dim);

  // One pass over the sample. False when all is done.
  bool step();
  [[nodiscard]] std::vector<float> points() const;  // x and y of each row

 private:
  [[nodiscard]] std::span<const float> row(size_t i) const { return rows_.subspan(i * dim_, dim_); }
  [[nodiscard]] std::span<float> axis(size_t i) { return std::span(axes_).subspan(i * dim_, dim_); }
  void orthonormalize();

  std::span<const float> rows_;
  size_t dim_;
  size_t passes_ = 0;
  std::vector<float> mean_;
  std::vector<float> axes_;  // of length 1, or zeros where the vectors do not vary
};

}  // namespace ambry::search
