#include "kernels/product_quantization/lookup_tables.h"

#include <algorithm>
#include <cassert>

#include "base/unroll.h"
#include "tensor/word_norm.h"

namespace ambry::kernels {
namespace {

// x · P as row vectors: (c · Pᵀ) · x is c · (x · P).
std::vector<float> project(const ProductQuantizer& quantizer, std::span<const float> vector) {
  std::vector<float> projected(vector.size());
  for (size_t i = 0; i < vector.size(); ++i) {
    const float* row = &quantizer.projection[i * vector.size()];
    for (size_t j = 0; j < vector.size(); ++j) projected[j] += vector[i] * row[j];
  }
  return projected;
}

// Adds eight at once, so that the additions do not wait for each other.
float sum_of_eight(const uint8_t* codes, const float* products) {
  float terms[8];
  unroll<8>([&](auto i) { terms[i] = products[i * kMaxCentroids + codes[i]]; });
  return ((terms[0] + terms[1]) + (terms[2] + terms[3])) +
         ((terms[4] + terms[5]) + (terms[6] + terms[7]));
}

float sum_of_row(const uint8_t* codes, const float* products, size_t n_slices) {
  float sum = 0.0F;
  size_t i = 0;
  for (; i + 8 <= n_slices; i += 8) sum += sum_of_eight(codes + i, products + i * kMaxCentroids);
  for (; i < n_slices; ++i) sum += products[i * kMaxCentroids + codes[i]];
  return sum;
}

}  // namespace

PqLookupTables::PqLookupTables(const ProductQuantizer& quantizer, std::span<const float> vector)
    : n_slices_(quantizer.shape.n_slices), products_(n_slices_ * kMaxCentroids) {
  assert(vector.size() == quantizer.shape.dims);
  std::vector<float> projected;
  if (!quantizer.projection.empty()) {
    projected = project(quantizer, vector);
    vector = projected;
  }
  const size_t width = quantizer.shape.slice_dims();
  // A code of one byte cannot choose later ones.
  const size_t n_centroids = std::min(quantizer.shape.n_centroids, kMaxCentroids);
  for (size_t slice = 0; slice < n_slices_; ++slice) {
    const std::span<const float> centroids = quantizer.codebook(slice);
    const std::span<const float> part = vector.subspan(slice * width, width);
    for (size_t c = 0; c < n_centroids; ++c) {
      products_[slice * kMaxCentroids + c] =
          tensor::word_dot(centroids.subspan(c * width, width), part);
    }
  }
}

void PqLookupTables::score(const uint8_t* codes, std::span<float> scores) const {
  for (float& score : scores) {
    score = sum_of_row(codes, products_.data(), n_slices_);
    codes += n_slices_;
  }
}

}  // namespace ambry::kernels
