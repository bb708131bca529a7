// Reads rows from anywhere in a matrix in a file. Rows that are close to each other are read
// together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"

namespace ambry::convert {

class RowGather {
 public:
  struct Read {
    uint64_t offset = 0;  // in the file
    MutableBytes target;  // to fill before the next call
  };

  RowGather() = default;
  // Row i lies at offset + i * row_bytes.
  RowGather(uint64_t offset, uint64_t row_bytes) : offset_(offset), row_bytes_(row_bytes) {}

  // Sets the rows to read, in any order, with repetitions.
  [[nodiscard]] Result<void> ask(std::vector<uint64_t> rows);
  // The next read, or nothing when all rows are there.
  [[nodiscard]] Result<std::optional<Read>> next();
  // One of the rows that were asked for, by its index.
  [[nodiscard]] Bytes row(uint64_t number) const;

 private:
  void take_run();

  uint64_t offset_ = 0;
  uint64_t row_bytes_ = 1;
  std::vector<uint64_t> rows_;  // ascending and unique
  AlignedBuffer gathered_;      // these rows, in this order
  AlignedBuffer run_;           // rows_[run_begin_] … rows_[run_end_ - 1] and the gaps between them
  size_t run_begin_ = 0;
  size_t run_end_ = 0;
};

}  // namespace ambry::convert
