// An index with lists in memory: its rows, and if there are many of them, lists and codes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/ivf/ivf_query.h"
#include "search/ivf/list_set.h"
#include "search/ivf/row_store.h"

namespace ambry::search {

// How much a search reads.
struct IvfReach {
  uint32_t probes = 1;      // lists
  uint32_t candidates = 0;  // rows that are scored, for kReachHits hits
};
// A search for more hits has more candidates.
inline constexpr uint32_t kReachHits = 10;
[[nodiscard]] constexpr size_t candidates_for(const IvfReach& reach, size_t k) {
  return k <= kReachHits ? reach.candidates : size_t{reach.candidates} * k / kReachHits;
}

struct IvfSearch {
  size_t k = kReachHits;
  IvfReach reach = {};
  // Empty, or a byte for each position; 0 leaves the vector out.
  // NOLINTNEXTLINE(readability-redundant-member-init): compilers warn of members that are left out
  Bytes marks = {};
  // Left out of the hits, for a vector that is itself in the index.
  std::optional<uint32_t> without = std::nullopt;
};

class IvfIndex {
 public:
  // BadValue unless 1 <= dim <= kMaxDim.
  [[nodiscard]] static Result<IvfIndex> create(uint32_t dim, RowKind kind);

  [[nodiscard]] const ListSet& lists() const { return lists_; }
  [[nodiscard]] const RowStore& rows() const { return rows_; }
  [[nodiscard]] uint32_t size() const { return rows_.size(); }
  [[nodiscard]] Bytes codes() const { return codes_.bytes(); }

  // See RowStore::append(). Call before the index is built.
  [[nodiscard]] Result<void> append(std::span<const float> vectors);

  // Takes the centroids of the lists, which are rounded to int8, and says what they are then.
  const std::vector<float>& set_centroids(std::span<const float> centroids) {
    lists_.set_centroids(centroids);
    return lists_.centroids;
  }
  // Sorts the rows into lists. `list_of` has a list for each row. encode() follows.
  [[nodiscard]] Result<void> arrange(std::span<const uint32_t> list_of);
  // Makes the codes of some rows. All rows come in order.
  void encode(uint32_t begin, uint32_t end);

  // The best rows that the reach finds, of all rows where there are no lists. Where marks leave
  // rows out, more lists are read, until as many rows are compared as without them. `n_read` is
  // set to the number of rows in the lists that were read.
  [[nodiscard]] Result<std::vector<IvfHit>> search(std::span<const float> query,
                                                   const IvfSearch& settings,
                                                   uint64_t* n_read = nullptr) const;
  // The best of all rows.
  [[nodiscard]] Result<std::vector<IvfHit>> search_all(std::span<const float> query,
                                                       const IvfSearch& settings) const;

 private:
  IvfIndex(uint32_t dim, RowKind kind);

  // The marks of the rows of a list; none when all may be found.
  [[nodiscard]] Bytes marks_of(uint32_t list, const IvfSearch& settings,
                               std::vector<uint8_t>& marks) const;

  RowStore rows_;
  ListSet lists_;
  std::unique_ptr<const Rotation> rotation_;
  AlignedBuffer codes_;
};

}  // namespace ambry::search
