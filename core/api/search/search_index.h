// A vector index for JavaScript: hits as JSON, files as bytes in the heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "api/search/index_of.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "search/rows/row_index.h"

namespace ambry::api {

class Index final : public IndexOf<search::RowIndex> {
 public:
  // Rows of int8 with a scale for each row, or rows of floats.
  [[nodiscard]] static Result<Index> create(uint32_t dim, bool as_bytes);
  explicit Index(search::RowIndex vectors) : IndexOf(std::move(vectors)) {}

  [[nodiscard]] std::string facts() const final;
  // Returns the new number of rows.
  [[nodiscard]] Result<uint32_t> append(std::span<const float> rows);
};

// Loads an index file into the heap.
class IndexReader {
 public:
  [[nodiscard]] static Result<IndexReader> begin(uint64_t size);
  // The memory for the whole file.
  [[nodiscard]] MutableBytes window() { return file_.bytes(); }
  // Call once, when the file is written there.
  [[nodiscard]] Result<Index> finish();
  // Takes the memory of an index that is not one of rows.
  [[nodiscard]] AlignedBuffer take() { return std::move(file_); }

 private:
  explicit IndexReader(AlignedBuffer file) : file_(std::move(file)) {}
  AlignedBuffer file_;
};

}  // namespace ambry::api
