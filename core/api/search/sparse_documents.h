// An index of documents with sparse vectors, for JavaScript: hits as JSON, files as bytes in the
// heap. Vectors are pairs of floats (search/sparse/sparse_index.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "api/search/index_of.h"
#include "api/search/search_index.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "search/sparse/sparse_index.h"

namespace ambry::api {

class SparseDocuments final : public IndexOf<search::SparseIndex> {
 public:
  [[nodiscard]] static Result<SparseDocuments> create(uint32_t dim);
  // Takes the file out of its reader. Call once, when the file is written there.
  [[nodiscard]] static Result<SparseDocuments> load(IndexReader& reader);

  // JSON of AnyIndex::facts(), and {weights}, the number of all weights.
  [[nodiscard]] std::string facts() const final;
  // `lengths` are the pairs of each document. Returns the new number of documents.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> pairs,
                                        std::span<const uint32_t> lengths);
  // The score of every document, valid until the next call.
  [[nodiscard]] Result<std::span<const double>> scores(std::span<const float> query);

 private:
  explicit SparseDocuments(search::SparseIndex index) : IndexOf(std::move(index)) {}

  AlignedBuffer scores_;
};

}  // namespace ambry::api
