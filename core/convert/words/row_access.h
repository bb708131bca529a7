// The rows of a matrix in a file, with random access: stored as floats or as codes of a product
// quantizer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry::convert {

// A row is n_groups codes. Each selects one of n_centroids vectors. The result is multiplied by the
// projection and by the row's norm.
struct Codebook {
  uint32_t n_groups = 0;
  uint32_t group = 0;       // values in a centroid
  uint32_t last_group = 0;  // values in a centroid of the last group
  uint32_t n_centroids = 0;
  std::vector<float> centroids;   // group by group, one centroid after another
  std::vector<float> projection;  // dims x dims, or none
  std::vector<float> norms;       // one for each row, or none
};

struct RowStore {
  uint64_t offset = 0;  // of row 0 in the file
  uint64_t rows = 0;
  uint64_t dims = 0;
  std::optional<Codebook> codebook;

  [[nodiscard]] uint64_t row_bytes() const;
  // `stored` are whole rows from row `first` on; `out` receives their values. BadValue for values
  // that are not finite and for codes without a centroid.
  [[nodiscard]] Result<void> decode(Bytes stored, uint64_t first, std::span<float> out) const;
};

}  // namespace ambry::convert
