// An index of documents with many vectors each, for JavaScript: hits as JSON, files as bytes in the
// heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "api/search/search_index.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/document_index.h"

namespace ambry::api {

class Documents {
 public:
  // Rows of int8 with a scale for each row, or rows of floats.
  [[nodiscard]] static Result<Documents> create(uint32_t dim, bool as_bytes);
  // Takes the file out of its reader. Call once, when the file is written there.
  [[nodiscard]] static Result<Documents> load(IndexReader& reader);

  // JSON of Index::facts(), whose size counts the documents, and {rows}.
  [[nodiscard]] std::string facts() const;
  // The caller's bytes in the file that it was loaded from, valid until the index changes.
  [[nodiscard]] Bytes header() const { return documents_.origin().header; }
  // `lengths` are the rows of each document. Returns the new number of documents.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> rows,
                                        std::span<const uint32_t> lengths);
  [[nodiscard]] Result<uint32_t> retain(Bytes marks);
  // JSON: [{row, score}], the highest score + bias first. A row is a document's place.
  [[nodiscard]] Result<std::string> search(std::span<const float> query,
                                           std::span<const float> bias, size_t k) const;
  // The whole file in three parts, valid until the index changes or is saved again.
  [[nodiscard]] Result<const search::IndexPieces*> save(Bytes header);

 private:
  explicit Documents(search::DocumentIndex documents) : documents_(std::move(documents)) {}

  search::DocumentIndex documents_;
  search::IndexPieces saved_{};
};

}  // namespace ambry::api
