// Vectors to search in. What the rows stand for is the caller's: the file carries bytes beside
// them, which this room does not interpret.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/exact_top_k.h"
#include "search/index_file.h"
#include "search/rows.h"

namespace ambry::search {

class VectorIndex {
 public:
  // An empty index of `dim` numbers a row; 1 <= dim <= kMaxDim, else BadValue.
  [[nodiscard]] static Result<VectorIndex> create(uint32_t dim, RowKind kind);

  [[nodiscard]] uint32_t dim() const { return dim_; }
  [[nodiscard]] RowKind kind() const { return kind_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(rows().size()); }

  // Whole rows of floats, which become rows of this index's kind: bytes are rounded to nearest,
  // halves to even. BadValue when a number is not finite or the size is no multiple of dim();
  // LimitExceeded when the heap cannot hold them.
  [[nodiscard]] Result<void> append(std::span<const float> rows);

  // Drops the rows whose mark is 0; those behind move up. Mismatch unless there are size() marks.
  [[nodiscard]] Result<void> retain(Bytes marks);

  // See exact_top_k(). BadValue unless the query has dim() finite numbers, Mismatch unless `bias`
  // is empty or has size() numbers.
  [[nodiscard]] Result<std::vector<Hit>> search(std::span<const float> query,
                                                std::span<const float> bias, size_t k) const;

  // The whole file with the caller's bytes; the pieces borrow from this index.
  [[nodiscard]] Result<IndexPieces> save(Bytes header) const { return write_index(rows(), header); }
  // Takes the file's memory for its own.
  [[nodiscard]] static Result<VectorIndex> load(AlignedBuffer file);

  // The file that it was loaded from; of a new index, and once an index changed, nothing.
  struct Origin {
    uint32_t version = 0;
    uint64_t header_offset = 0;
    Bytes header;  // the caller's bytes
  };
  [[nodiscard]] const Origin& origin() const { return origin_; }

 private:
  VectorIndex(uint32_t dim, RowKind kind) : dim_(dim), kind_(kind) {}

  [[nodiscard]] Rows rows() const {
    return {kind_, dim_, memory_.bytes().subspan(begin_, n_bytes_)};
  }
  // Makes room for this many bytes of rows in all.
  [[nodiscard]] Result<void> reserve(uint64_t n_bytes);

  uint32_t dim_;
  RowKind kind_;
  AlignedBuffer memory_;
  size_t begin_ = 0;  // of the rows in memory_, with room behind the last one
  size_t n_bytes_ = 0;
  Origin origin_;  // looks into memory_
};

}  // namespace ambry::search
