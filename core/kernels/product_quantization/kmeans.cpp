#include "kernels/product_quantization/kmeans.h"

#include <algorithm>
#include <cassert>

namespace ambry::kernels {

SliceKMeans::SliceKMeans(const QuantizerShape& shape, uint64_t seed)
    : shape_(shape),
      centroids_(shape.n_slices * shape.codebook_size()),
      sums_(centroids_.size()),
      counts_(shape.n_slices * shape.n_centroids) {
  Random random(seed);
  for (size_t i = 0; i < shape.n_slices; ++i) slices_.push_back({Random(random.next())});
}

void SliceKMeans::draw(const float* rows, size_t n_rows) {
  assert(n_rows >= shape_.n_centroids);
  const size_t width = shape_.slice_dims();
  for (size_t slice = 0; slice < shape_.n_slices; ++slice) {
    slices_[slice].converged = false;
    std::vector<uint64_t> drawn;
    while (drawn.size() < shape_.n_centroids) {
      const uint64_t row = slices_[slice].random.below(n_rows);
      if (std::ranges::find(drawn, row) != drawn.end()) continue;
      const float* from = rows + row * shape_.dims + slice * width;
      std::copy_n(from, width, own_codebook(slice).data() + drawn.size() * width);
      drawn.push_back(row);
    }
  }
}

void SliceKMeans::add(const float* rows, size_t n_rows) {
  codes_.resize(n_rows);
  for (size_t slice = 0; slice < shape_.n_slices; ++slice) {
    if (!slices_[slice].converged) add_slice(slice, rows, n_rows);
  }
}

void SliceKMeans::add_slice(size_t slice, const float* rows, size_t n_rows) {
  encode_slice(shape_, slice, codebook(slice), rows, n_rows, codes_.data(), 1);
  const size_t width = shape_.slice_dims();
  double* const sums = sums_.data() + slice * shape_.codebook_size();
  uint64_t* const counts = counts_.data() + slice * shape_.n_centroids;
  double squares = 0.0;
  for (size_t row = 0; row < n_rows; ++row) {
    const float* point = rows + row * shape_.dims + slice * width;
    double* sum = sums + codes_[row] * width;
    for (size_t i = 0; i < width; ++i) {
      const auto x = static_cast<double>(point[i]);
      sum[i] += x;
      squares += x * x;
    }
    ++counts[codes_[row]];
  }
  slices_[slice].squares += squares;
}

bool SliceKMeans::move() {
  bool moved = false;
  for (size_t slice = 0; slice < shape_.n_slices; ++slice) {
    if (slices_[slice].converged) continue;
    slices_[slice].converged = !move_slice(slice);
    if (!slices_[slice].converged) moved = true;
  }
  std::ranges::fill(sums_, 0.0);
  std::ranges::fill(counts_, 0U);
  return moved;
}

void SliceKMeans::rows_changed() {
  for (Slice& slice : slices_) slice.converged = false;
}

// Moves every centroid to the mean of its points. The squared distances from it sum to Σ |x|² - n
// |mean|².
bool SliceKMeans::move_slice(size_t slice) {
  const size_t width = shape_.slice_dims();
  const std::span<float> centroids = own_codebook(slice);
  const double* const sums = sums_.data() + slice * shape_.codebook_size();
  bool moved = false;
  double error = slices_[slice].squares;
  for (size_t i = 0; i < centroids.size(); ++i) {
    const uint64_t count = counts_[slice * shape_.n_centroids + i / width];
    const double mean = count == 0 ? 0.0 : sums[i] / static_cast<double>(count);
    error -= mean * sums[i];
    const auto value = static_cast<float>(mean);
    moved = moved || value != centroids[i];
    centroids[i] = value;
  }
  slices_[slice].error = error;
  slices_[slice].squares = 0.0;
  return moved;
}

void SliceKMeans::keep_best() {
  const bool first = best_.empty();
  best_.resize(centroids_.size());
  for (size_t slice = 0; slice < shape_.n_slices; ++slice) {
    Slice& state = slices_[slice];
    if (!first && !(state.error < state.best_error)) continue;
    state.best_error = state.error;
    const auto offset = static_cast<std::ptrdiff_t>(slice * shape_.codebook_size());
    std::ranges::copy(codebook(slice), best_.begin() + offset);
  }
}

}  // namespace ambry::kernels
