// The dot products of one vector with many quantized ones, which are not reconstructed for it
// (Jégou et al., 2011, 3.2): of each slice all centroids are multiplied once, and a row's score is
// the sum of one such product a slice. For a projection the vector is turned instead of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/product_quantization/product_quantizer.h"

namespace ambry::kernels {

class PqLookupTables {
 public:
  PqLookupTables(const ProductQuantizer& quantizer, std::span<const float> vector);

  // `codes` are scores.size() rows of n_slices codes. Codes without a centroid add nothing.
  void score(const uint8_t* codes, std::span<float> scores) const;

 private:
  size_t n_slices_;
  std::vector<float> products_;  // n_slices x kMaxCentroids
};

}  // namespace ambry::kernels
