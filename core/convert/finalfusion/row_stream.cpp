#include "convert/finalfusion/row_stream.h"

#include <algorithm>

namespace ambry::convert {

RowStream::RowStream(const model::TensorEntry& tensor, uint64_t block_bytes)
    : offset_(tensor.offset), n_rows_(tensor.shape[0]) {
  if (n_rows_ == 0) return;
  row_bytes_ = tensor.bytes / n_rows_;
  block_rows_ = std::max<uint64_t>(1, block_bytes / std::max<uint64_t>(row_bytes_, 1));
}

Result<Step> RowStream::read() {
  first_ = next_;
  next_ = std::min(n_rows_, first_ + block_rows_);
  const uint64_t size = (next_ - first_) * row_bytes_;
  if (buffer_.size() != size) {
    buffer_ = AlignedBuffer();  // free the old memory first
    AMBRY_TRY(buffer_, AlignedBuffer::allocate(size));
  }
  return Step{Step::Kind::Read, offset_of(0), buffer_.bytes(), {}};
}

}  // namespace ambry::convert
