// The rows of an index with lists, as they lie in memory and in the file (core/search/README.md): a
// record for each, in blocks of memory that never move, so that growing takes no second copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "search/rows/rows.h"

namespace ambry::search {

// u32 position among the caller's vectors, the row (rows.h), u32 CRC-32 of what is before.
[[nodiscard]] constexpr uint32_t record_size(RowKind kind, uint32_t dim) {
  return 8 + row_size(kind, dim);
}
// Vectors of length 1 have smaller scales. Larger ones would lead to infinite products.
inline constexpr float kMostScale = 1;
// Where a record has its row.
inline constexpr uint32_t kRecordRow = 4;

[[nodiscard]] inline uint32_t position_in(const uint8_t* record) {
  return load_le<uint32_t>(record);
}

// The values of a row, dequantized.
void read_row(RowKind kind, const uint8_t* row, std::span<float> to);
// `values` must be finite.
void write_row(RowKind kind, std::span<const float> values, uint8_t* to);

// Checks the CRC-32 of a record that lies at `byte_offset` of a file, and that its values may be
// those of a vector of length 1.
[[nodiscard]] Result<void> check_record(RowKind kind, Bytes record, uint64_t n_rows,
                                        uint64_t byte_offset);

class RowStore {
 public:
  RowStore(RowKind kind, uint32_t dim);

  [[nodiscard]] RowKind kind() const { return kind_; }
  [[nodiscard]] uint32_t dim() const { return dim_; }
  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] uint32_t record_bytes() const { return record_bytes_; }

  // Appends vectors of `dim` values, scaled to length 1. BadValue, with the path vectors[i], for
  // values that are not finite, for a vector without a direction and for an incomplete one;
  // LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> append(std::span<const float> vectors);

  [[nodiscard]] const uint8_t* record(uint32_t i) const {
    return blocks_[i / records_of_block_].data() + size_t{i % records_of_block_} * record_bytes_;
  }
  [[nodiscard]] const uint8_t* row(uint32_t i) const { return record(i) + kRecordRow; }
  void read(uint32_t i, std::span<float> to) const { read_row(kind_, row(i), to); }

  // Moves the record that is at from[i] to i, for a permutation `from`, which is used up.
  void permute(std::span<uint32_t> from);

  // The records as pieces of memory, one after another.
  [[nodiscard]] std::vector<Bytes> pieces() const;

 private:
  [[nodiscard]] uint8_t* record(uint32_t i) {
    return blocks_[i / records_of_block_].data() + size_t{i % records_of_block_} * record_bytes_;
  }

  RowKind kind_;
  uint32_t dim_;
  uint32_t record_bytes_;
  uint32_t records_of_block_;
  uint32_t size_ = 0;
  std::vector<AlignedBuffer> blocks_;
};

}  // namespace ambry::search
