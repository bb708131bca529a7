#include "infer/words/stored_rows.h"

#include <algorithm>

#include "base/order.h"

namespace ambry::infer {

const uint8_t* StoredRows::Generation::find(uint64_t row) const {
  const auto found = places.find(row);
  return found == places.end() ? nullptr : bytes.data() + found->second;
}

void StoredRows::Generation::add(uint64_t row, Bytes stored) {
  if (!places.try_emplace(row, bytes.size()).second) return;
  bytes.insert(bytes.end(), stored.begin(), stored.end());
}

Result<const uint8_t*> StoredRows::find(uint64_t row) const {
  if (all_.size() > 0) return all_.data() + static_cast<size_t>(row * row_bytes_);
  const uint8_t* stored = recent_.find(row);
  if (stored == nullptr) stored = older_.find(row);
  if (stored != nullptr) return stored;
  Failure need =
      error_at(ErrorCode::NeedBytes, file_offset_of(row), {"rows[", row, "]"}, "not loaded yet");
  need->need_size = row_bytes_;
  return need;
}

std::vector<FileRange> StoredRows::missing(std::vector<uint64_t> rows) {
  std::vector<FileRange> ranges;
  if (complete()) return ranges;
  if (recent_.bytes.size() > cache_bytes_ / 2) {
    older_ = std::move(recent_);
    recent_ = Generation();
  }
  sort_items(rows, [](uint64_t a, uint64_t b) { return a < b; });
  for (const uint64_t row : rows) {
    if (recent_.find(row) != nullptr) continue;
    if (const uint8_t* stored = older_.find(row); stored != nullptr) {
      recent_.add(row, {stored, static_cast<size_t>(row_bytes_)});
      continue;
    }
    const uint64_t offset = file_offset_of(row);
    const uint64_t end = offset + row_bytes_;
    if (!ranges.empty() && offset <= ranges.back().offset + ranges.back().size + kMaxGap) {
      ranges.back().size = end - ranges.back().offset;
    } else {
      ranges.push_back({offset, row_bytes_});
    }
  }
  return ranges;
}

void StoredRows::supply(uint64_t offset, Bytes bytes) {
  const uint64_t end = offset + bytes.size();
  const uint64_t before = offset > file_offset_ ? offset - file_offset_ : 0;
  for (uint64_t row = (before + row_bytes_ - 1) / row_bytes_;
       row < n_rows_ && file_offset_of(row) + row_bytes_ <= end; ++row) {
    const auto at = static_cast<size_t>(file_offset_of(row) - offset);
    recent_.add(row, bytes.subspan(at, static_cast<size_t>(row_bytes_)));
  }
}

}  // namespace ambry::infer
