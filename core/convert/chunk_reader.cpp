#include "convert/chunk_reader.h"

#include <algorithm>

namespace ambry::convert {
namespace {

Result<void> make_room(AlignedBuffer& buffer, uint64_t size) {
  if (buffer.size() == size) return {};
  buffer = AlignedBuffer();  // give the old one back first
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

Result<Work> ChunkReader::read(uint64_t limit) {
  const Input& from = inputs_[next_];
  const uint64_t offset = from.tensor.offset + done_;
  const uint64_t size = std::min(limit, from.tensor.bytes - done_);
  AMBRY_CHECK(make_room(buffer_, size));
  input_ = next_;
  done_ += size;
  skip_empty();
  return Work{Step::Kind::Read, offset, buffer_.bytes(), from.file};
}

Result<Work> read_whole(const Input& input, AlignedBuffer& buffer) {
  AMBRY_CHECK(make_room(buffer, input.tensor.bytes));
  return Work{Step::Kind::Read, input.tensor.offset, buffer.bytes(), input.file};
}

}  // namespace ambry::convert
