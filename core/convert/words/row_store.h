// The rows of a matrix in a file, any of which can be had: as floats, or as codes of a product
// quantizer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry::convert {

// A row is n_groups codes, each of which chooses one of n_centroids vectors; times the projection,
// times the row's norm.
struct Codebook {
  uint32_t n_groups = 0;
  uint32_t group = 0;       // numbers of a centroid
  uint32_t last_group = 0;  // of the last group's
  uint32_t n_centroids = 0;
  std::vector<float> centroids;   // those of a group after one another, group by group
  std::vector<float> projection;  // dims x dims, or none
  std::vector<float> norms;       // one a row, or none
};

struct RowStore {
  uint64_t offset = 0;  // of row 0 in the file
  uint64_t rows = 0;
  uint64_t dims = 0;
  std::optional<Codebook> codebook;

  [[nodiscard]] uint64_t row_bytes() const;
  // `stored` are whole rows from row `first` on; `out` takes their numbers. BadValue for what is no
  // finite number and for a code without centroid.
  [[nodiscard]] Result<void> decode(Bytes stored, uint64_t first, std::span<float> out) const;
};

}  // namespace ambry::convert
