// Reads the rows of a tensor in blocks.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "convert/plan/job.h"
#include "model/file/model.h"

namespace ambry::convert {

class RowStream {
 public:
  RowStream() = default;
  // A block has as many rows as fit `block_bytes`, but at least one.
  RowStream(const model::TensorEntry& tensor, uint64_t block_bytes);

  [[nodiscard]] bool at_end() const { return next_ == n_rows_; }
  // Requests the next block. It is available from the job's next call on.
  [[nodiscard]] Result<Step> read();
  void restart() { next_ = 0; }

  // The last block.
  [[nodiscard]] uint64_t first_row() const { return first_; }
  [[nodiscard]] size_t n_rows() const { return static_cast<size_t>(next_ - first_); }
  [[nodiscard]] MutableBytes bytes() { return buffer_.bytes(); }
  [[nodiscard]] std::span<const float> floats() const { return buffer_.as<float>(); }
  // The offset of one of its rows in the file.
  [[nodiscard]] uint64_t offset_of(size_t row) const {
    return offset_ + (first_ + row) * row_bytes_;
  }

 private:
  uint64_t offset_ = 0;
  uint64_t row_bytes_ = 1;
  uint64_t n_rows_ = 0;
  uint64_t block_rows_ = 1;
  uint64_t first_ = 0;
  uint64_t next_ = 0;
  AlignedBuffer buffer_;
};

}  // namespace ambry::convert
