#include "infer/text_classifier/matrix_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace ambry::infer {
namespace {

constexpr size_t kCentroids = 256;
// Rows whose sums run side by side. A sum alone waits for each of its additions.
constexpr size_t kRowsAtOnce = 8;

}  // namespace

MatrixRows::MatrixRows(MatrixParts parts, uint64_t rows, uint32_t dims)
    : parts_(std::move(parts)), rows_(rows), dims_(dims) {
  if (parts_.group == 0) {
    assert(parts_.data.size() == rows * dims * sizeof(float));
    return;
  }
  n_groups_ = (dims + parts_.group - 1) / parts_.group;
  assert(parts_.data.size() == rows * n_groups_);
  assert(parts_.centroids.size() == dims * kCentroids * sizeof(float));
  assert(parts_.norm_codes.size() == 0 || parts_.norm_codes.size() == rows);
}

std::span<const float> MatrixRows::floats(uint64_t row) const {
  return parts_.data.as<float>().subspan(static_cast<size_t>(row * dims_), dims_);
}

float MatrixRows::norm(uint64_t row) const {
  if (parts_.norm_codes.size() == 0) return 1;
  return parts_.norms.as<float>()[parts_.norm_codes.bytes()[static_cast<size_t>(row)]];
}

template <class Visit>
void MatrixRows::for_each_group(uint64_t row, const Visit& visit) const {
  const uint8_t* const codes = parts_.data.data() + static_cast<size_t>(row * n_groups_);
  const float* const centroids = parts_.centroids.as<float>().data();
  const size_t group = parts_.group;
  for (size_t i = 0; i < n_groups_; ++i) {
    const size_t first = i * group;
    const size_t size = std::min<size_t>(group, dims_ - first);
    visit(first, std::span(centroids + first * kCentroids + codes[i] * size, size));
  }
}

void MatrixRows::add_to(std::span<float> sum, uint64_t row) const {
  assert(sum.size() == dims_ && row < rows_);
  if (parts_.group == 0) {
    const float* const values = floats(row).data();
    float* const to = sum.data();
    for (size_t i = 0; i < dims_; ++i) to[i] += values[i];
    return;
  }
  const float factor = norm(row);
  for_each_group(row, [&](size_t first, std::span<const float> centroid) {
    float* const to = sum.data() + first;
    for (size_t i = 0; i < centroid.size(); ++i) to[i] += factor * centroid[i];
  });
}

float MatrixRows::dot(std::span<const float> vector, uint64_t row) const {
  assert(vector.size() == dims_ && row < rows_);
  float sum = 0;
  if (parts_.group == 0) {
    const std::span<const float> values = floats(row);
    for (size_t i = 0; i < dims_; ++i) sum += values[i] * vector[i];
    return sum;
  }
  for_each_group(row, [&](size_t first, std::span<const float> centroid) {
    for (size_t i = 0; i < centroid.size(); ++i) sum += vector[first + i] * centroid[i];
  });
  return sum * norm(row);
}

void MatrixRows::dots(std::span<const float> vector, std::span<float> products) const {
  assert(vector.size() == dims_ && products.size() <= rows_);
  size_t row = 0;
  for (; parts_.group == 0 && row + kRowsAtOnce <= products.size(); row += kRowsAtOnce) {
    const float* const values = parts_.data.as<float>().data() + row * dims_;
    std::array<float, kRowsAtOnce> sums{};
    for (size_t i = 0; i < dims_; ++i) {
      for (size_t r = 0; r < kRowsAtOnce; ++r) sums[r] += values[r * dims_ + i] * vector[i];
    }
    std::ranges::copy(sums, products.begin() + static_cast<std::ptrdiff_t>(row));
  }
  for (; row < products.size(); ++row) products[row] = dot(vector, row);
}

}  // namespace ambry::infer
