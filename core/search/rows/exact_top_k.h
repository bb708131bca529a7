// Exact top-k search over rows of either kind.
#pragma once

#include <span>
#include <vector>

#include "search/rows/hit.h"
#include "search/rows/rows.h"

namespace ambry::search {

// The `k` rows of the highest rank, best first. Ties go to the lower row; NaN comes last. `bias` is
// empty or has one value per row; a bias of -infinity excludes its row. int8 rows score as if each
// were dequantized and multiplied in f32.
[[nodiscard]] std::vector<Hit> exact_top_k(const Rows& rows, std::span<const float> query,
                                           std::span<const float> bias, size_t k);

}  // namespace ambry::search
