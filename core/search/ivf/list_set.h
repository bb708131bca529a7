// The lists of an index: which rows they have, and around which centroids. It is what a search has
// before it reads rows. An index without centroids is one list, all rows of which are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "search/ivf/sign_codes.h"
#include "search/rows/rows.h"

namespace ambry::search {

struct ListSet {
  RowKind kind = RowKind::Int8;
  uint32_t dim = 0;
  // NOLINTBEGIN(readability-redundant-member-init): compilers warn of members that are left out
  std::vector<uint8_t> stored_centroids = {};  // an int8 row (rows.h) for each list, or none
  std::vector<float> centroids = {};           // the same as floats
  std::vector<float> spreads = {};  // of each list: how far its rows are from its centroid
  // NOLINTEND(readability-redundant-member-init)
  std::vector<uint32_t> begins{0, 0};  // the first row of each list, then the number of rows

  [[nodiscard]] uint32_t n_lists() const { return static_cast<uint32_t>(begins.size() - 1); }
  [[nodiscard]] uint32_t n_rows() const { return begins.back(); }
  [[nodiscard]] uint32_t list_size(uint32_t list) const { return begins[list + 1] - begins[list]; }
  [[nodiscard]] bool has_codes() const { return !centroids.empty(); }
  // 0 without codes.
  [[nodiscard]] uint32_t code_size() const { return has_codes() ? sign_code_size(dim) : 0; }
  [[nodiscard]] std::span<const float> centroid(uint32_t list) const {
    return std::span(centroids).subspan(size_t{list} * dim, dim);
  }

  // Takes rows of `dim` values, and rounds them to int8.
  void set_centroids(std::span<const float> rows);
  // Widens stored_centroids.
  void widen_centroids();
};

// The order in which a query looks at the lists. Those come first whose centroid is near, or whose
// rows are spread so widely around it that some of them may be near.
[[nodiscard]] std::vector<uint32_t> nearest_lists(const ListSet& lists,
                                                  std::span<const float> query);

// An order of centroids in which neighbours are near to each other, so that the lists that a query
// reads often lie side by side in a file.
[[nodiscard]] Result<std::vector<uint32_t>> chain_order(std::span<const float> centroids,
                                                        size_t dim);

}  // namespace ambry::search
