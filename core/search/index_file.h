// The index file: its fields, and the rows and the caller's bytes that they place (README.md).
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows.h"

namespace ambry::search {

inline constexpr uint32_t kMaxDim = 65536;

// What the fixed part of a file says, and where things are as it follows from that.
struct IndexLayout {
  uint32_t version = 2;  // what is written
  RowKind kind = RowKind::F32;
  uint32_t dim = 0;
  uint64_t n_rows = 0;
  uint64_t header_size = 0;
  uint64_t header_offset = 0;
  uint64_t data_offset = 0;
  uint64_t data_size = 0;
  uint64_t file_size = 0;

  // False when they pass 64 bits.
  [[nodiscard]] bool place();
};

// 1 <= dim <= kMaxDim, else BadValue.
[[nodiscard]] Result<void> check_dim(uint32_t dim, uint64_t byte_offset);

// Checks all of the file but what the header says.
[[nodiscard]] Result<IndexLayout> read_index(Bytes file);

// A file in three pieces, so that its rows need not be held twice.
struct IndexPieces {
  AlignedBuffer ends;  // the first `head_size` bytes of the file, then the last ones
  size_t head_size;
  Bytes rows;  // borrowed

  [[nodiscard]] Bytes head() const { return ends.bytes().first(head_size); }
  [[nodiscard]] Bytes tail() const { return ends.bytes().subspan(head_size); }
};

[[nodiscard]] Result<IndexPieces> write_index(const Rows& rows, Bytes header);

}  // namespace ambry::search
