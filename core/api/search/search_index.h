// A vector index for JavaScript: hits as JSON, files as bytes in the heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "search/vector_index.h"

namespace ambry::api {

// The facts of an index as JSON, without the closing brace.
[[nodiscard]] std::string index_facts(uint32_t dim, uint32_t size, search::RowKind kind,
                                      const search::VectorIndex::Origin& origin);
// JSON: [{row, score}].
[[nodiscard]] std::string hits_json(const std::vector<search::Hit>& hits);

class Index {
 public:
  // Rows of int8 with a scale for each row, or rows of floats.
  [[nodiscard]] static Result<Index> create(uint32_t dim, bool as_bytes);
  explicit Index(search::VectorIndex vectors) : vectors_(std::move(vectors)) {}

  // JSON: {dim, size, int8}, and {version, headerOffset} of the file that it was loaded from.
  [[nodiscard]] std::string facts() const;
  // The caller's bytes in the file that it was loaded from, valid until the index changes.
  [[nodiscard]] Bytes header() const { return vectors_.origin().header; }
  // Returns the new number of rows.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> rows);
  [[nodiscard]] Result<uint32_t> retain(Bytes marks);
  // JSON: [{row, score}], the highest score + bias first.
  [[nodiscard]] Result<std::string> search(std::span<const float> query,
                                           std::span<const float> bias, size_t k) const;
  // The whole file in three parts, valid until the index changes or is saved again.
  [[nodiscard]] Result<const search::IndexPieces*> save(Bytes header);

 private:
  search::VectorIndex vectors_;
  search::IndexPieces saved_{};
};

// Loads an index file into the heap.
class IndexReader {
 public:
  [[nodiscard]] static Result<IndexReader> begin(uint64_t size);
  // The memory for the whole file.
  [[nodiscard]] MutableBytes window() { return file_.bytes(); }
  // Call once, when the file is written there.
  [[nodiscard]] Result<Index> finish();
  // The same for an index that is not one of rows.
  [[nodiscard]] AlignedBuffer take() { return std::move(file_); }

 private:
  explicit IndexReader(AlignedBuffer file) : file_(std::move(file)) {}
  AlignedBuffer file_;
};

}  // namespace ambry::api
