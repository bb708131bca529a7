// Exact nearest rows by dot product (for unit vectors: by cosine).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::search {

struct Hit {
  uint32_t row = 0;
  float score = 0;

  friend bool operator==(const Hit&, const Hit&) = default;
};

// The `k` best rows of the row-major matrix (rows of query.size() numbers), best first; equal
// scores by lower row, NaN scores after all others. Fewer than `k` when there are fewer rows.
[[nodiscard]] std::vector<Hit> top_k(std::span<const float> matrix, std::span<const float> query,
                                     size_t k);

}  // namespace ambry::search
