#include "io/source.h"

#include <algorithm>
#include <string>

namespace ambry::io {

Result<Bytes> Source::view(uint64_t offset, uint64_t size, std::string_view path) const {
  const uint64_t total = this->size();
  if (offset > total || size > total - offset) {
    const uint64_t left = offset > total ? 0 : total - offset;
    return error_at(ErrorCode::Truncated, std::min(offset, total), path,
                    {size, " bytes expected, ", left, " left before the end of the file"});
  }
  if (size == 0) return Bytes{};
  const Bytes held = find(offset, size);
  if (held.size() < size) {
    Failure need = error_at(ErrorCode::NeedBytes, offset + held.size(), path, "not loaded yet");
    need->need_size = size - held.size();
    return need;
  }
  return held;
}

Result<bool> Source::starts_with(std::string_view magic) const {
  if (size() < magic.size()) return false;
  AMBRY_TRY(const Bytes bytes, view(0, magic.size(), "header.magic"));
  return as_text(bytes) == magic;
}

Failure Source::need_size() {
  return error_at(ErrorCode::NeedBytes, kNoOffset, "file", "the size is not known yet");
}

Bytes MemorySource::find(uint64_t offset, uint64_t size) const {
  return bytes_.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

Bytes PartialSource::find(uint64_t offset, uint64_t size) const {
  // The first piece that ends after `offset`.
  size_t low = 0;
  size_t high = pieces_.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (pieces_[middle].end() <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == pieces_.size() || pieces_[low].offset > offset) return {};
  const uint64_t skip = offset - pieces_[low].offset;
  const Bytes bytes(pieces_[low].bytes);
  const uint64_t held = std::min<uint64_t>(size, bytes.size() - skip);
  return bytes.subspan(static_cast<size_t>(skip), static_cast<size_t>(held));
}

Result<void> PartialSource::insert(uint64_t offset, Bytes bytes) {
  if (offset > size_ || bytes.size() > size_ - offset) {
    return error_at(ErrorCode::Truncated, std::min(offset, size_), "source",
                    "the bytes pass the end of the file");
  }
  if (bytes.empty()) return {};
  const uint64_t end = offset + bytes.size();
  // Pieces that the new bytes touch or overlap: [first, last).
  size_t first = 0;
  while (first < pieces_.size() && pieces_[first].end() < offset) ++first;
  size_t last = first;
  while (last < pieces_.size() && pieces_[last].offset <= end) ++last;

  // A piece that starts before goes on in its own memory. The new bytes win where both speak, which
  // is safe because both come from the same file.
  Part merged{offset, {}};
  if (first < last && pieces_[first].offset <= offset) merged = std::move(pieces_[first]);
  const auto at = static_cast<size_t>(offset - merged.offset);
  if (merged.end() < end) merged.bytes.resize(at + bytes.size());
  std::ranges::copy(bytes, merged.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  if (first < last && pieces_[last - 1].end() > merged.end()) {
    const Part& tail = pieces_[last - 1];
    const Bytes rest = Bytes(tail.bytes).subspan(static_cast<size_t>(merged.end() - tail.offset));
    merged.bytes.insert(merged.bytes.end(), rest.begin(), rest.end());
  }
  const auto begin = pieces_.begin();
  pieces_.erase(begin + static_cast<std::ptrdiff_t>(first),
                begin + static_cast<std::ptrdiff_t>(last));
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(first), std::move(merged));
  return {};
}

uint64_t PartialSource::held_bytes() const {
  uint64_t total = 0;
  for (const Part& piece : pieces_) total += piece.bytes.size();
  return total;
}

}  // namespace ambry::io
