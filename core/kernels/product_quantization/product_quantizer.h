// Product quantization (Jégou et al., 2011): a vector is cut into slices, and each slice is stored
// as the index of its nearest centroid. Optimized quantizers first rotate the vectors by an
// orthogonal matrix that suits the slices (Ge et al., 2013).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "kernels/linear_algebra/row_products.h"

namespace ambry::kernels {

// A code is one byte.
inline constexpr size_t kMaxCentroids = 256;

struct QuantizerShape {
  size_t dims = 0;
  size_t n_slices = 0;  // divides dims
  size_t n_centroids = 0;

  [[nodiscard]] size_t slice_dims() const { return dims / n_slices; }
  [[nodiscard]] size_t codebook_size() const { return n_centroids * slice_dims(); }
};

struct ProductQuantizer {
  QuantizerShape shape;
  std::vector<float> projection;  // dims x dims, row-major; or empty
  std::vector<float> centroids;   // n_slices x n_centroids x slice_dims

  [[nodiscard]] std::span<const float> codebook(size_t slice) const {
    return std::span(centroids).subspan(slice * shape.codebook_size(), shape.codebook_size());
  }

  // Reconstructs a vector from `codes`, n_slices indices below n_centroids: the centroids one after
  // another, rotated back. Sums in the order of the Rust reference. `scratch` has `dims` values.
  void reconstruct(const uint8_t* codes, std::span<float> vector, std::span<float> scratch) const;
};

// Finds the nearest centroids of one slice for `n_rows` rows of `shape.dims` values. The code of
// row i goes to codes[i * stride].
void encode_slice(const QuantizerShape& shape, size_t slice, std::span<const float> codebook,
                  const float* rows, size_t n_rows, uint8_t* codes, size_t stride);

// Encodes vectors.
class VectorEncoder {
 public:
  VectorEncoder() = default;
  // `quantizer` must outlive the encoder.
  [[nodiscard]] static Result<VectorEncoder> begin(const ProductQuantizer& quantizer);

  // Writes n_rows x n_slices codes.
  void encode(const float* rows, size_t n_rows, uint8_t* codes);

 private:
  const ProductQuantizer* quantizer_ = nullptr;
  RowRotation rotation_;
  std::vector<float> rotated_;
};

}  // namespace ambry::kernels
