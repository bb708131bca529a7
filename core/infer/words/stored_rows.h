// The rows of word vectors as stored in the file: all of them, or in range mode a cache of the rows
// fetched last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"

namespace ambry::infer {

struct FileRange {
  uint64_t offset = 0;
  uint64_t size = 0;

  friend bool operator==(const FileRange&, const FileRange&) = default;
};

class StoredRows {
 public:
  // Rows with at most this gap between them are fetched together, because a request costs more than
  // the gap.
  static constexpr uint64_t kMaxGap = 4096;
  static constexpr size_t kCacheBytes = size_t{64} << 20;

  // No row is in memory yet. `row_bytes` is not 0, and all rows lie in the file.
  StoredRows(uint64_t file_offset, uint64_t n_rows, uint64_t row_bytes,
             size_t cache_bytes = kCacheBytes)
      : file_offset_(file_offset),
        n_rows_(n_rows),
        row_bytes_(row_bytes),
        cache_bytes_(cache_bytes) {}

  [[nodiscard]] uint64_t size() const { return n_rows_; }
  [[nodiscard]] uint64_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] uint64_t file_offset_of(uint64_t row) const {
    return file_offset_ + row * row_bytes_;
  }

  // Sets all rows, which lie one after another.
  void set_all(AlignedBuffer rows) { all_ = std::move(rows); }
  [[nodiscard]] bool complete() const { return all_.size() > 0 || n_rows_ == 0; }
  [[nodiscard]] const uint8_t* data() const { return all_.data(); }  // only when complete
  [[nodiscard]] uint64_t resident_bytes() const {
    return all_.size() + recent_.bytes.size() + older_.bytes.size();
  }

  // The bytes of a row, valid until more rows are supplied. NeedBytes when it is not in memory.
  [[nodiscard]] Result<const uint8_t*> find(uint64_t row) const;

  // The ranges to fetch for these rows. Whatever the size of the cache, the rows stay in it at
  // least until the second next call.
  [[nodiscard]] std::vector<FileRange> missing(std::vector<uint64_t> rows);
  // Stores the rows that lie completely in the fetched bytes.
  void supply(uint64_t offset, Bytes bytes);

 private:
  // Rows in the order of arrival. When the recent generation is large enough it becomes the older
  // one; rows of the previous older generation that were not asked for since are dropped.
  struct Generation {
    std::vector<uint8_t> bytes;
    std::unordered_map<uint64_t, size_t> places;  // offset of each row in `bytes`

    [[nodiscard]] const uint8_t* find(uint64_t row) const;
    void add(uint64_t row, Bytes stored);
  };

  uint64_t file_offset_;
  uint64_t n_rows_;
  uint64_t row_bytes_;
  size_t cache_bytes_;
  AlignedBuffer all_;
  Generation recent_;
  Generation older_;
};

}  // namespace ambry::infer
