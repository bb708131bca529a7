// An index of documents with many vectors each, for models with late interaction. It searches by
// MaxSim: a document's score is the sum, over the query's vectors, of the largest product with one
// of the document's.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/hit.h"
#include "search/rows/index_file.h"
#include "search/rows/row_index.h"
#include "search/rows/rows.h"

namespace ambry::search {

class MultiVectorIndex {
 public:
  // An empty index. BadValue unless 1 <= dim <= kMaxDim.
  [[nodiscard]] static Result<MultiVectorIndex> create(uint32_t dim, RowKind kind);

  [[nodiscard]] uint32_t dim() const { return rows_.dim(); }
  [[nodiscard]] RowKind kind() const { return rows_.kind(); }
  // The number of documents, and that of all their rows.
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(lengths_.size()); }
  [[nodiscard]] uint32_t n_rows() const { return rows_.size(); }

  // Appends documents: their rows, one document after another, and how many each has. Rows are
  // converted as RowIndex::append does, with its errors. BadValue for a document without rows,
  // Mismatch for another number of rows than the documents have.
  [[nodiscard]] Result<void> append(std::span<const float> rows, std::span<const uint32_t> lengths);

  // Drops the documents whose mark is 0; later ones move up. Mismatch unless there are size()
  // marks.
  [[nodiscard]] Result<void> retain(Bytes marks);

  // The `k` documents of the highest score plus bias, best first, as exact_top_k() orders rows.
  // `query` holds one or more vectors. int8 rows score as if each were dequantized and multiplied
  // in f32. Mismatch unless `bias` is empty or has size() values.
  [[nodiscard]] Result<std::vector<Hit>> search(std::span<const float> query,
                                                std::span<const float> bias, size_t k) const;

  // The whole file with the caller's bytes. The pieces borrow from this index.
  [[nodiscard]] Result<IndexPieces> save(Bytes header) const {
    return write_index(rows_.rows(), header, lengths_);
  }
  // Takes over the file's memory.
  [[nodiscard]] static Result<MultiVectorIndex> load(AlignedBuffer file);
  [[nodiscard]] const RowIndex::Origin& origin() const { return rows_.origin(); }

 private:
  MultiVectorIndex(RowIndex rows, std::vector<uint32_t> lengths)
      : rows_(std::move(rows)), lengths_(std::move(lengths)) {}

  RowIndex rows_;
  std::vector<uint32_t> lengths_;  // rows of each document
};

}  // namespace ambry::search
