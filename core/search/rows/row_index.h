// An index of vectors to search in. The caller decides what the rows stand for: the file carries
// the caller's bytes beside them, which this room does not interpret.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/exact_top_k.h"
#include "search/rows/index_file.h"
#include "search/rows/rows.h"

namespace ambry::search {

// The position of the first value that is not finite; size() when there is none.
[[nodiscard]] size_t find_not_finite(std::span<const float> values);

// Mismatch unless `bias` is empty or has `n` values, one for each of `what`.
[[nodiscard]] Result<void> check_bias(std::span<const float> bias, size_t n, const char* what);

class RowIndex {
 public:
  // An empty index with `dim` values per row. BadValue unless 1 <= dim <= kMaxDim.
  [[nodiscard]] static Result<RowIndex> create(uint32_t dim, RowKind kind);

  [[nodiscard]] uint32_t dim() const { return dim_; }
  [[nodiscard]] RowKind kind() const { return kind_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(rows().size()); }

  // Appends whole rows of floats, converted to the index's kind. int8 rounds to nearest, ties to
  // even. BadValue when a value is not finite or the size is not a multiple of dim(); LimitExceeded
  // when the heap cannot hold them.
  [[nodiscard]] Result<void> append(std::span<const float> rows);

  // Drops the rows whose mark is 0; later rows move up. Mismatch unless there are size() marks.
  [[nodiscard]] Result<void> retain(Bytes marks);

  // See exact_top_k(). BadValue unless the query has dim() finite values. Mismatch unless `bias` is
  // empty or has size() values.
  [[nodiscard]] Result<std::vector<Hit>> search(std::span<const float> query,
                                                std::span<const float> bias, size_t k) const;

  // The whole file with the caller's bytes. The pieces borrow from this index.
  [[nodiscard]] Result<IndexPieces> save(Bytes header) const { return write_index(rows(), header); }
  // Takes over the file's memory.
  [[nodiscard]] static Result<RowIndex> load(AlignedBuffer file);
  // Takes over the memory of a file that has been checked.
  [[nodiscard]] static RowIndex adopt(AlignedBuffer file, const IndexLayout& layout);

  [[nodiscard]] Rows rows() const {
    return {kind_, dim_, memory_.bytes().subspan(begin_, n_bytes_)};
  }

  // The file from which the index was loaded. Empty for a new index, and after any change.
  struct Origin {
    uint32_t version = 0;
    uint64_t header_offset = 0;
    Bytes header;  // the caller's bytes
  };
  [[nodiscard]] const Origin& origin() const { return origin_; }

 private:
  RowIndex(uint32_t dim, RowKind kind) : dim_(dim), kind_(kind) {}

  // Makes room for this many bytes of rows in total.
  [[nodiscard]] Result<void> reserve(uint64_t n_bytes);

  uint32_t dim_;
  RowKind kind_;
  AlignedBuffer memory_;
  size_t begin_ = 0;  // of the rows in memory_; free room follows the last row
  size_t n_bytes_ = 0;
  Origin origin_;  // borrows from memory_
};

}  // namespace ambry::search
