// The rows of a matrix of a text classifier: floats, or codes of a product quantizer.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"

namespace ambry::infer {

// The bytes of a matrix as files have them. Quantized matrices have codes as `data`.
struct MatrixParts {
  AlignedBuffer data;
  uint32_t group = 0;        // numbers in a group of the quantizer; 0: the data are floats
  AlignedBuffer centroids;   // floats, 256 for each group; the last group may be shorter
  AlignedBuffer norm_codes;  // a code for each row, or none
  AlignedBuffer norms;       // 256 floats

  [[nodiscard]] uint64_t bytes() const {
    return uint64_t{data.size()} + centroids.size() + norm_codes.size() + norms.size();
  }
};

// Sums are in the order of fastText's, so that results are equal to the last bit where its program
// has no fused products.
class MatrixRows {
 public:
  MatrixRows(MatrixParts parts, uint64_t rows, uint32_t dims);

  [[nodiscard]] uint64_t rows() const { return rows_; }
  [[nodiscard]] uint64_t bytes() const { return parts_.bytes(); }
  // Both spans have as many values as a row.
  void add_to(std::span<float> sum, uint64_t row) const;
  [[nodiscard]] float dot(std::span<const float> vector, uint64_t row) const;
  // The products with the first rows, as many as `products` has.
  void dots(std::span<const float> vector, std::span<float> products) const;

 private:
  [[nodiscard]] std::span<const float> floats(uint64_t row) const;
  // The factor of a quantized row.
  [[nodiscard]] float norm(uint64_t row) const;
  // Calls visit(first, centroid) for each group: its first number in the row, and its values.
  template <class Visit>
  void for_each_group(uint64_t row, const Visit& visit) const;

  MatrixParts parts_;
  uint64_t rows_;
  uint32_t dims_;
  uint32_t n_groups_ = 0;
};

}  // namespace ambry::infer
