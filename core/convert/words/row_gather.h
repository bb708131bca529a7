// Rows of a matrix in a file, wherever they lie: those that are near each other are read together.
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
    MutableBytes target;  // to be filled before the next call
  };

  RowGather() = default;
  // Row i lies at offset + i * row_bytes.
  RowGather(uint64_t offset, uint64_t row_bytes) : offset_(offset), row_bytes_(row_bytes) {}

  // The rows that are wanted now, in any order and as often as one likes.
  [[nodiscard]] Result<void> ask(std::vector<uint64_t> rows);
  // What is to be read next; nothing when all rows are there.
  [[nodiscard]] Result<std::optional<Read>> next();
  // One of the rows that were asked for.
  [[nodiscard]] Bytes row(uint64_t number) const;

 private:
  void take_run();

  uint64_t offset_ = 0;
  uint64_t row_bytes_ = 1;
  std::vector<uint64_t> rows_;  // ascending, each once
  AlignedBuffer held_;          // theirs, in this order
  AlignedBuffer run_;           // rows_[run_begin_] … rows_[run_end_ - 1] and what lies between
  size_t run_begin_ = 0;
  size_t run_end_ = 0;
};

}  // namespace ambry::convert
