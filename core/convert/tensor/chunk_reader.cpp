#include "convert/tensor/chunk_reader.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "convert/tensor/order/stride_order.h"

namespace ambry::convert {
namespace {

Result<void> make_room(AlignedBuffer& buffer, uint64_t size) {
  if (buffer.size() == size) return {};
  buffer = AlignedBuffer();  // free the old memory first
  AMBRY_TRY(buffer, AlignedBuffer::allocate(size));
  return {};
}

// What is read at once: whole rows, if only the first columns of each are kept.
struct Unit {
  uint64_t stored = 1;  // bytes in the file
  uint64_t kept = 1;
};

Unit unit_of(const Input& input) {
  if (input.stored_columns == 0) return {};
  const uint64_t rows = input.tensor.shape[0];
  return {stored_tensor(input).bytes / rows, input.tensor.bytes / rows};
}

// Moves the kept bytes of each row together.
void drop_columns(const Unit& unit, MutableBytes rows) {
  if (unit.kept == unit.stored) return;
  const auto kept = static_cast<size_t>(unit.kept);
  const auto stored = static_cast<size_t>(unit.stored);
  for (size_t row = 1; row < rows.size() / stored; ++row) {
    std::ranges::copy(rows.subspan(row * stored, kept), &rows[row * kept]);
  }
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
  if (!from.strides.empty()) limit = UINT64_MAX;
  const Unit unit = unit_of(from);
  const uint64_t n =
      std::min(std::max<uint64_t>(1, limit / unit.stored), (from.tensor.bytes - done_) / unit.kept);
  const uint64_t offset = from.tensor.offset + done_ / unit.kept * unit.stored;
  const uint64_t size = n * unit.stored;
  AMBRY_RETURN_IF_ERROR(make_room(buffer_, size));
  const model::TensorEntry tensor = stored_tensor(from);
  const uint64_t held =
      from.strides.empty() ? 0 : bytes_held(tensor.shape, from.strides, tensor.bytes);
  AMBRY_RETURN_IF_ERROR(make_room(stored_, held));
  input_ = next_;
  kept_ = static_cast<size_t>(n * unit.kept);
  as_read_ = true;
  done_ += kept_;
  skip_empty();
  const MutableBytes wanted = stored_.size() == 0 ? buffer_.bytes() : stored_.bytes();
  return TransformStep{Step::Kind::Read, offset, wanted, from.file};
}

MutableBytes ChunkReader::chunk() {
  const MutableBytes bytes = buffer_.bytes();
  if (std::exchange(as_read_, false)) {
    const Input& from = inputs_[input_];
    if (stored_.size() != 0) {
      order_by_shape(stored_tensor(from).shape, from.strides, stored_.bytes(), bytes);
      stored_ = AlignedBuffer();
    }
    drop_columns(unit_of(from), bytes);
  }
  return bytes.first(kept_);
}

Result<TransformStep> read_whole(const Input& input, AlignedBuffer& buffer) {
  assert(input.stored_columns == 0);
  AMBRY_RETURN_IF_ERROR(make_room(buffer, input.tensor.bytes));
  return TransformStep{Step::Kind::Read, input.tensor.offset, buffer.bytes(), input.file};
}

}  // namespace ambry::convert
