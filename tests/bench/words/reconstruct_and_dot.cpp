// The cost of scoring quantized rows without lookup tables: every row is reconstructed, then
// multiplied by the query. words-bench.mjs compiles it to WebAssembly with the flags of the
// modules.
#include <algorithm>
#include <vector>

#include "kernels/product_quantization/product_quantizer.h"
#include "tensor/word_norm.h"

extern "C" {

// `codes` are n_rows x n_slices; `centroids` n_slices x 256 pairs, so that rows and `query` have 2
// x n_slices numbers. The result is the best score. NOLINTNEXTLINE(readability-identifier-naming):
// seen from JavaScript
float reconstructAndDot(const uint8_t* codes, size_t n_rows, size_t n_slices,
                        const float* centroids, const float* query) {
  const size_t dims = 2 * n_slices;
  const ambry::kernels::ProductQuantizer quantizer{
      {dims, n_slices, ambry::kernels::kMaxCentroids},
      {},
      {centroids, centroids + dims * ambry::kernels::kMaxCentroids}};
  std::vector<float> row(dims);
  std::vector<float> scratch(dims);
  float best = 0.0F;
  for (size_t i = 0; i < n_rows; ++i, codes += n_slices) {
    quantizer.reconstruct(codes, row, scratch);
    best = std::max(best, ambry::tensor::word_dot(row, {query, dims}));
  }
  return best;
}

}  // extern "C"
