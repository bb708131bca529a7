#include "io/source.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ambry::io {

Result<Bytes> Source::view(uint64_t offset, uint64_t size, std::string_view path) const {
  const uint64_t total = this->size();
  if (offset > total || size > total - offset) {
    const uint64_t left = offset > total ? 0 : total - offset;
    return error_at(ErrorCode::Truncated, std::min(offset, total), std::string(path),
                    std::to_string(size) + " bytes expected, " + std::to_string(left) +
                        " left before the end of the file");
  }
  if (size == 0) return Bytes{};
  const Bytes held = find(offset, size);
  if (held.data() == nullptr) {
    Error need = error_at(ErrorCode::NeedBytes, offset, std::string(path), "not loaded yet");
    need.need_size = size;
    return need;
  }
  return held;
}

Bytes MemorySource::find(uint64_t offset, uint64_t size) const {
  return bytes_.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

Bytes PartialSource::find(uint64_t offset, uint64_t size) const {
  auto after = pieces_.upper_bound(offset);
  if (after == pieces_.begin()) return {};
  const auto& [start, piece] = *std::prev(after);
  const uint64_t skip = offset - start;
  if (skip > piece.size() || size > piece.size() - skip) return {};
  return Bytes(piece).subspan(static_cast<size_t>(skip), static_cast<size_t>(size));
}

Result<void> PartialSource::insert(uint64_t offset, Bytes bytes) {
  if (offset > size_ || bytes.size() > size_ - offset) {
    return error_at(ErrorCode::Truncated, std::min(offset, size_), "source",
                    "the bytes pass the end of the file");
  }
  if (bytes.empty()) return {};
  uint64_t start = offset;
  std::vector<uint8_t> merged(bytes.begin(), bytes.end());

  // The piece before, when it reaches the new bytes, gives the head; the new bytes win where both
  // speak, which is safe because both come from the same file.
  auto next = pieces_.lower_bound(offset);
  if (next != pieces_.begin()) {
    auto before = std::prev(next);
    const uint64_t before_end = before->first + before->second.size();
    if (before_end >= offset) {
      std::vector<uint8_t> head = std::move(before->second);
      const auto overlap = static_cast<size_t>(offset - before->first);
      if (before_end > offset + merged.size()) {
        std::ranges::copy(merged, head.begin() + static_cast<std::ptrdiff_t>(overlap));
      } else {
        head.resize(overlap);
        head.insert(head.end(), merged.begin(), merged.end());
      }
      start = before->first;
      merged = std::move(head);
      pieces_.erase(before);
    }
  }
  while (next != pieces_.end() && next->first <= start + merged.size()) {
    const uint64_t end = start + merged.size();
    const uint64_t next_end = next->first + next->second.size();
    if (next_end > end) {
      const auto keep = static_cast<std::ptrdiff_t>(end - next->first);
      merged.insert(merged.end(), next->second.begin() + keep, next->second.end());
    }
    next = pieces_.erase(next);
  }
  pieces_.emplace(start, std::move(merged));
  return {};
}

uint64_t PartialSource::held_bytes() const {
  uint64_t total = 0;
  for (const auto& [start, piece] : pieces_) total += piece.size();
  return total;
}

}  // namespace ambry::io
