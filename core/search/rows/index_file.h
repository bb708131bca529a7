// The index file: its fields, the rows, the lengths of documents with many rows, and the caller's
// bytes (README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/rows.h"

namespace ambry::search {

inline constexpr uint32_t kMaxDim = 65536;

// The versions that are written: of rows, and of documents with many rows each.
inline constexpr uint32_t kRowsVersion = 2;
inline constexpr uint32_t kDocumentsVersion = 3;

// The fixed fields of a file, and the offsets that follow from them.
struct IndexLayout {
  uint32_t version = kRowsVersion;
  RowKind kind = RowKind::F32;
  uint32_t dim = 0;
  uint64_t n_rows = 0;
  uint64_t n_documents = 0;  // of kDocumentsVersion
  uint64_t header_size = 0;
  uint64_t header_offset = 0;
  uint64_t data_offset = 0;
  uint64_t data_size = 0;
  uint64_t lengths_offset = 0;  // where the data ends
  uint64_t file_size = 0;

  // Computes the offsets. False when they overflow 64 bits.
  [[nodiscard]] bool place();
};

// BadValue unless 1 <= dim <= kMaxDim.
[[nodiscard]] Result<void> check_dim(uint32_t dim, uint64_t byte_offset);

enum class IndexContent : uint8_t { Rows, Documents };

// Checks the whole file except the contents of the header. UnsupportedVersion for an index of other
// content.
[[nodiscard]] Result<IndexLayout> read_index(Bytes file, IndexContent content);

// A file in three pieces, so that its rows need not be copied.
struct IndexPieces {
  AlignedBuffer ends;  // the first `head_size` bytes of the file, then those after the rows
  size_t head_size;
  Bytes rows;  // borrowed

  [[nodiscard]] Bytes head() const { return ends.bytes().first(head_size); }
  [[nodiscard]] Bytes tail() const { return ends.bytes().subspan(head_size); }
};

// `lengths` are the rows of each document, whose rows follow one another. Nothing: an index of
// rows.
[[nodiscard]] Result<IndexPieces> write_index(
    const Rows& rows, Bytes header,
    std::optional<std::span<const uint32_t>> lengths = std::nullopt);

}  // namespace ambry::search
