#include "io/source.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ambry::io {

Result<Bytes> Source::view(uint64_t offset, uint64_t size, std::string_view path) const {
  const uint64_t total = this->size();
  if (offset > total || size > total - offset) {
    const uint64_t left = offset > total ? 0 : total - offset;
    return error_at(ErrorCode::Truncated, std::min(offset, total), path,
                    {size, " bytes expected, ", left, " left before the end of the file"});
  }
  if (size == 0) return Bytes{};
  const Bytes loaded = find(offset, size);
  if (loaded.size() < size) {
    Failure need = error_at(ErrorCode::NeedBytes, offset + loaded.size(), path, "not loaded yet");
    need->need_size = size - loaded.size();
    return need;
  }
  return loaded;
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

Result<void> PartialSource::set_part_ends(std::vector<uint64_t> ends) {
  if (ends.empty() || ends.back() != size_ || !std::ranges::is_sorted(ends)) {
    return make_error(ErrorCode::BadValue, "source.ends",
                      "the ends of the files must ascend to the size of all");
  }
  part_ends_ = std::move(ends);
  return {};
}

Bytes PartialSource::find(uint64_t offset, uint64_t size) const {
  // Find the first part that ends after `offset`.
  size_t low = 0;
  size_t high = parts_.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (parts_[middle].end() <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == parts_.size() || parts_[low].offset > offset) return {};
  const uint64_t skip = offset - parts_[low].offset;
  const Bytes bytes(parts_[low].bytes);
  const uint64_t loaded = std::min<uint64_t>(size, bytes.size() - skip);
  return bytes.subspan(static_cast<size_t>(skip), static_cast<size_t>(loaded));
}

Result<void> PartialSource::insert(uint64_t offset, Bytes bytes) {
  if (offset > size_ || bytes.size() > size_ - offset) {
    return error_at(ErrorCode::Truncated, std::min(offset, size_), "source",
                    "the inserted bytes pass the end of the file");
  }
  if (bytes.empty()) return {};
  const uint64_t end = offset + bytes.size();
  // The parts that the new bytes touch or overlap: [first, last).
  size_t first = 0;
  while (first < parts_.size() && parts_[first].end() < offset) ++first;
  size_t last = first;
  while (last < parts_.size() && parts_[last].offset <= end) ++last;

  // A part that starts before the new bytes keeps its memory. Where both hold a byte, the new one
  // wins; that is safe because both come from the same file.
  Part merged{offset, {}};
  if (first < last && parts_[first].offset <= offset) merged = std::move(parts_[first]);
  const auto at = static_cast<size_t>(offset - merged.offset);
  if (merged.end() < end) merged.bytes.resize(at + bytes.size());
  std::ranges::copy(bytes, merged.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  if (first < last && parts_[last - 1].end() > merged.end()) {
    const Part& tail = parts_[last - 1];
    const Bytes rest = Bytes(tail.bytes).subspan(static_cast<size_t>(merged.end() - tail.offset));
    merged.bytes.insert(merged.bytes.end(), rest.begin(), rest.end());
  }
  const auto begin = parts_.begin();
  parts_.erase(begin + static_cast<std::ptrdiff_t>(first),
               begin + static_cast<std::ptrdiff_t>(last));
  parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(first), std::move(merged));
  return {};
}

uint64_t PartialSource::loaded_bytes() const {
  uint64_t total = 0;
  for (const Part& piece : parts_) total += piece.bytes.size();
  return total;
}

}  // namespace ambry::io
