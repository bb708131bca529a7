// An index of documents with many vectors each, for JavaScript: hits as JSON, files as bytes in the
// heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "api/search/index_of.h"
#include "api/search/search_index.h"
#include "base/result.h"
#include "search/multi_vector_index.h"

namespace ambry::api {

class Documents final : public IndexOf<search::MultiVectorIndex> {
 public:
  // Rows of int8 with a scale for each row, or rows of floats.
  [[nodiscard]] static Result<Documents> create(uint32_t dim, bool as_bytes);
  // Takes the file out of its reader. Call once, when the file is written there.
  [[nodiscard]] static Result<Documents> load(IndexReader& reader);

  // JSON of AnyIndex::facts(), whose size counts the documents, and {rows}.
  [[nodiscard]] std::string facts() const final;
  // `lengths` are the rows of each document. Returns the new number of documents.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> rows,
                                        std::span<const uint32_t> lengths);

 private:
  explicit Documents(search::MultiVectorIndex documents) : IndexOf(std::move(documents)) {}
};

}  // namespace ambry::api
