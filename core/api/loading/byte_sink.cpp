#include "api/loading/byte_sink.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/order.h"
#include "model/file/file_layout.h"

namespace ambry::api {
Result<void> ByteSink::lay_out(const model::Model& model, const std::vector<size_t>& tensors,
                               uint64_t begin, uint64_t end) {
  const auto in_file_order = sorted_order(tensors.size(), [&](uint32_t a, uint32_t b) {
    return model.tensors[tensors[a]].offset < model.tensors[tensors[b]].offset;
  });
  position_ = begin;
  end_ = end;
  uint64_t covered = begin;
  for (const uint32_t position : in_file_order) {
    const size_t i = tensors[position];
    const model::TensorEntry& tensor = model.tensors[i];
    assert(tensor.offset >= covered && tensor.offset + tensor.bytes <= end);
    if (tensor.bytes == 0) continue;
    add_gap(covered, tensor.offset);
    segments_.push_back({tensor.offset, tensor.bytes, i});
    covered = tensor.offset + tensor.bytes;
  }
  add_gap(covered, end);
  for (const model::ByteRangeCrc& range : model.checksums) {
    assert(range.begin >= begin && range.end <= end);
    crcs_.add(range.begin, range.end);
  }
  checksums_ = model.checksums;
  closing_magic_ = model.closing_magic;
  return next_chunk();
}

void ByteSink::add_gap(uint64_t from, uint64_t to) {
  if (from < to) segments_.push_back({from, to - from, kNoTensor});
}

// Allocates memory for the chunk at the current position; none at the end of the stream.
Result<void> ByteSink::next_chunk() {
  filled_ = 0;
  if (segment_ < segments_.size() &&
      position_ == segments_[segment_].offset + segments_[segment_].bytes) {
    ++segment_;
  }
  if (segment_ == segments_.size()) {
    chunk_ = AlignedBuffer();
    return {};
  }
  const Segment& segment = segments_[segment_];
  chunk_start_ = position_ - segment.offset;
  const bool whole = segment.tensor != kNoTensor && tensor_memory_ == TensorMemory::Whole;
  const uint64_t left = segment.bytes - chunk_start_;
  const uint64_t size = whole ? left : std::min(left, kChunkBytes);
  if (chunk_.size() == size) return {};
  chunk_ = AlignedBuffer();  // first, so that both never exist at once
  AMBRY_TRY(chunk_, AlignedBuffer::allocate(size));
  return {};
}

MutableBytes ByteSink::window() { return chunk_.bytes().subspan(filled_); }

Result<void> ByteSink::commit(size_t n) {
  assert(n <= chunk_.size() - filled_);
  AMBRY_RETURN_IF_ERROR(update_checksums(chunk_.bytes().subspan(filled_, n)));
  AMBRY_RETURN_IF_ERROR(check_closing_magic(chunk_.bytes().subspan(filled_, n)));
  filled_ += n;
  position_ += n;
  if (filled_ < chunk_.size() || chunk_.size() == 0) return {};
  AMBRY_RETURN_IF_ERROR(on_chunk(segments_[segment_], chunk_start_, chunk_));
  return next_chunk();
}

// `bytes` start at position_, which has not moved yet.
Result<void> ByteSink::update_checksums(Bytes bytes) {
  const uint64_t from = position_;
  const uint64_t to = position_ + bytes.size();
  crcs_.update(from, bytes);
  for (model::ByteRangeCrc& range : checksums_) {
    uint64_t known_at = range.end;
    if (range.read_later) {
      known_at = range.field_offset + sizeof(uint32_t);
      for (uint64_t at = std::max(from, range.field_offset); at < std::min(to, known_at); ++at) {
        range.expected = range.expected >> 8 | uint32_t{bytes[static_cast<size_t>(at - from)]}
                                                   << 24;
      }
    }
    if (known_at <= from || to < known_at) continue;
    const uint32_t found = crcs_.value(range.begin, range.end);
    if (found == range.expected) continue;
    AMBRY_RETURN_IF_ERROR(on_mismatch(model::crc_mismatch(range, found)));
  }
  return {};
}

// `bytes` start at position_, as above.
Result<void> ByteSink::check_closing_magic(Bytes bytes) {
  if (!closing_magic_) return {};
  for (size_t i = 0; i < closing_magic_->bytes.size(); ++i) {
    const uint64_t at = closing_magic_->offset + i;
    if (at < position_ || at - position_ >= bytes.size()) continue;
    if (static_cast<char>(bytes[static_cast<size_t>(at - position_)]) == closing_magic_->bytes[i]) {
      continue;
    }
    Failure wrong = error_at(ErrorCode::BadMagic, closing_magic_->offset, closing_magic_->path,
                             {"expected ", closing_magic_->bytes});
    closing_magic_.reset();  // report it only once
    return on_mismatch(std::move(wrong));
  }
  return {};
}

}  // namespace ambry::api
