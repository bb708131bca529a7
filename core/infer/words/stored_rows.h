// The rows of word vectors as the file has them: all of them, or in range mode those that were
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
  // Rows whose gap is at most this are fetched together: a request costs more than that.
  static constexpr uint64_t kMaxGap = 4096;
  static constexpr size_t kCacheBytes = size_t{64} << 20;

  // None is held yet. `row_bytes` is not 0; rows x row_bytes lies in the file.
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

  // All rows, one after another.
  void hold(AlignedBuffer rows) { all_ = std::move(rows); }
  [[nodiscard]] bool complete() const { return all_.size() > 0 || n_rows_ == 0; }
  [[nodiscard]] const uint8_t* data() const { return all_.data(); }  // when complete
  [[nodiscard]] uint64_t held_bytes() const {
    return all_.size() + recent_.bytes.size() + older_.bytes.size();
  }

  // A row's bytes, valid until rows are supplied; NeedBytes when it is not held.
  [[nodiscard]] Result<const uint8_t*> find(uint64_t row) const;

  // What to fetch for these rows. They stay in the cache at least until the second call from now,
  // whatever its size.
  [[nodiscard]] std::vector<FileRange> missing(std::vector<uint64_t> rows);
  // Keeps the rows that lie whole in what was fetched.
  void supply(uint64_t offset, Bytes bytes);

 private:
  // Rows in the order of their coming. When there are enough, they become the older ones, and those
  // that were the older ones and not asked for since are forgotten.
  struct Generation {
    std::vector<uint8_t> bytes;
    std::unordered_map<uint64_t, size_t> places;  // of a row in `bytes`

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
