// The rows that score highest: exact, whatever their kind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/rows.h"

namespace ambry::search {

struct Hit {
  uint32_t row = 0;
  // The dot product with the query; for unit vectors the cosine.
  float score = 0;
  // The score and the row's bias, by which rows are ranked.
  float rank = 0;

  friend bool operator==(const Hit&, const Hit&) = default;
};

// The `k` rows of the highest rank, best first; equal ranks by lower row, NaN after all others.
// `bias` is empty or has one number a row, and a row whose bias is -infinity is left out. Rows of
// bytes score as if each were multiplied out in f32.
[[nodiscard]] std::vector<Hit> exact_top_k(const Rows& rows, std::span<const float> query,
                                           std::span<const float> bias, size_t k);

}  // namespace ambry::search
