// An index of rows, of documents or of sparse vectors, for JavaScript: hits as JSON, files as bytes
// in the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/index_file.h"

namespace ambry::api {

class AnyIndex {
 public:
  // JSON: {dim, size, int8}, and {version, headerOffset} of the file that it was loaded from.
  [[nodiscard]] virtual std::string facts() const = 0;
  // The caller's bytes in the file that it was loaded from, valid until the index changes.
  [[nodiscard]] virtual Bytes header() const = 0;
  // Drops what the marks say. Returns the new number of rows, or of documents.
  [[nodiscard]] virtual Result<uint32_t> retain(Bytes marks) = 0;
  // JSON: [{row, score}], the highest score + bias first. The row of a document is its place.
  // Hits of sparse vectors have {cosine}, too.
  [[nodiscard]] virtual Result<std::string> search(std::span<const float> query,
                                                   std::span<const float> bias, size_t k) = 0;
  // The whole file in three parts, valid until the index changes or is saved again.
  [[nodiscard]] virtual Result<const search::IndexPieces*> save(Bytes header) = 0;

 protected:
  AnyIndex() = default;
  AnyIndex(AnyIndex&&) noexcept = default;
  AnyIndex& operator=(AnyIndex&&) noexcept = default;
  // Nobody owns an index as this, and without a virtual one the WebAssembly is smaller.
  ~AnyIndex() = default;
};

}  // namespace ambry::api
