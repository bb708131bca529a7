#include "convert/tensor/chunk_reader.h"

#include <algorithm>

#include "convert/tensor/axis_order.h"

namespace ambry::convert {
namespace {

Result<void> make_room(AlignedBuffer& buffer, uint64_t size) {
  if (buffer.size() == size) return {};
  buffer = AlignedBuffer();  // free the old memory first
  AMBRY_TRY(buffer, AlignedBuffer::allocate(size));
  return {};
}

}  // namespace

void ChunkReader::skip_empty() {
  while (next_ < inputs_.size() && inputs_[next_].tensor.bytes == done_) {
    ++next_;
    done_ = 0;
  }
}

void ChunkReader::restart() {
  next_ = 0;
  done_ = 0;
  skip_empty();
}

Result<TransformStep> ChunkReader::read(uint64_t limit) {
  const Input& from = inputs_[next_];
  if (!from.stored_axes.empty()) limit = from.tensor.bytes;
  const uint64_t offset = from.tensor.offset + done_;
  const uint64_t size = std::min(limit, from.tensor.bytes - done_);
  AMBRY_RETURN_IF_ERROR(make_room(buffer_, size));
  AMBRY_RETURN_IF_ERROR(make_room(stored_, from.stored_axes.empty() ? 0 : size));
  input_ = next_;
  done_ += size;
  skip_empty();
  const MutableBytes wanted = stored_.size() == 0 ? buffer_.bytes() : stored_.bytes();
  return TransformStep{Step::Kind::Read, offset, wanted, from.file};
}

MutableBytes ChunkReader::chunk() {
  if (stored_.size() != 0) {
    const Input& from = inputs_[input_];
    order_by_shape(from.tensor.shape, from.stored_axes, stored_.bytes(), buffer_.bytes());
    stored_ = AlignedBuffer();
  }
  return buffer_.bytes();
}

Result<TransformStep> read_whole(const Input& input, AlignedBuffer& buffer) {
  AMBRY_RETURN_IF_ERROR(make_room(buffer, input.tensor.bytes));
  return TransformStep{Step::Kind::Read, input.tensor.offset, buffer.bytes(), input.file};
}

}  // namespace ambry::convert
