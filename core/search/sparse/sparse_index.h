// An index of documents with sparse vectors: each has some words of a large vocabulary, with
// weights. It searches by the dot product, which is exact: every document that has a word of the
// query is scored, and no others are looked at.
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
#include "search/sparse/posting_lists.h"

namespace ambry::search {

struct SparseHit : Hit {
  float cosine = 0;  // of the two vectors
};

// Vectors come as pairs of floats: the id of a word, and its weight. Floats hold all ids below
// kMaxVocabulary.
class SparseIndex {
 public:
  // An empty index for a vocabulary of `dim` words. BadValue unless 1 <= dim <= kMaxVocabulary.
  [[nodiscard]] static Result<SparseIndex> create(uint32_t dim);

  [[nodiscard]] uint32_t dim() const { return lists_.dim(); }
  // The number of documents, and that of all their weights.
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(norms_.size()); }
  [[nodiscard]] uint32_t n_weights() const {
    return lists_.size() + static_cast<uint32_t>(added_.size());
  }

  // Appends documents: their pairs, one document after another, and how many each has. A document
  // may have none. BadValue for ids that are none, a word that a document has twice, and weights
  // that are 0 or not finite; Mismatch for another number of pairs; LimitExceeded for too many.
  [[nodiscard]] Result<void> append(std::span<const float> pairs,
                                    std::span<const uint32_t> lengths);

  // Drops the documents whose mark is 0; later ones move up. Mismatch unless there are size()
  // marks.
  [[nodiscard]] Result<void> retain(Bytes marks);

  // The `k` documents of the highest score plus bias, best first, as exact_top_k() orders rows.
  // Rows without a word of the query are left out unless their bias is above 0. A score is the sum
  // of the products in double precision, in the order of the query's words. Mismatch unless `bias`
  // is empty or has size() values.
  [[nodiscard]] Result<std::vector<SparseHit>> search(std::span<const float> query,
                                                      std::span<const float> bias, size_t k);
  // The score of every document, as doubles.
  [[nodiscard]] Result<AlignedBuffer> scores(std::span<const float> query);

  // The whole file with the caller's bytes. The pieces borrow from this index.
  [[nodiscard]] Result<IndexPieces> save(Bytes header);
  // Takes over the file's memory.
  [[nodiscard]] static Result<SparseIndex> load(AlignedBuffer file);
  [[nodiscard]] const RowIndex::Origin& origin() const { return origin_; }

 private:
  explicit SparseIndex(uint32_t dim) : lists_(dim) {}

  // Moves what was appended to the lists.
  [[nodiscard]] Result<void> settle();

  PostingLists lists_;
  std::vector<NewPosting> added_;  // of the last documents
  std::vector<float> norms_;       // of each document: the length of its vector
  RowIndex::Origin origin_;        // borrows from the memory of the lists
};

}  // namespace ambry::search
