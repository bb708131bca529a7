// A vector index as JavaScript sees it: hits as JSON, files as bytes in the heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "search/vector_index.h"

namespace ambry::api {

class Index {
 public:
  [[nodiscard]] static Result<Index> create(uint32_t dim);
  explicit Index(search::VectorIndex vectors) : vectors_(std::move(vectors)) {}

  [[nodiscard]] uint32_t dim() const { return vectors_.dim(); }
  [[nodiscard]] uint32_t size() const { return vectors_.size(); }
  [[nodiscard]] const std::string& header() const { return vectors_.header(); }
  [[nodiscard]] Result<void> append(std::span<const float> rows) { return vectors_.append(rows); }
  // JSON: [{row, score}], best first.
  [[nodiscard]] Result<std::string> search(std::span<const float> query, size_t k) const;
  // The whole file, held until the next save.
  [[nodiscard]] Result<Bytes> save(std::string_view header);

 private:
  search::VectorIndex vectors_;
  AlignedBuffer file_;
};

// An index file on its way into the heap.
class IndexReader {
 public:
  [[nodiscard]] static Result<IndexReader> begin(uint64_t size);
  // Where the whole file goes.
  [[nodiscard]] MutableBytes window() { return file_.bytes(); }
  [[nodiscard]] Result<Index> finish() const;

 private:
  explicit IndexReader(AlignedBuffer file) : file_(std::move(file)) {}
  AlignedBuffer file_;
};

}  // namespace ambry::api
