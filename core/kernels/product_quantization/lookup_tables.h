// Dot products of one vector with many product-quantized rows, without reconstructing the rows
// (asymmetric distance computation; Jégou et al., 2011, 3.2). Each centroid of each slice is
// multiplied once; a row's score is the sum of one such product per slice. With a projection, the
// vector is projected instead of the rows.
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
