// A file of many gigabytes that is zeros but for a few pieces, and takes no memory for the zeros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "io/source.h"

namespace ambry::formats::testing {

class SparseSource final : public io::Source {
 public:
  explicit SparseSource(uint64_t size = 0) : size_(size) {}

  // At `offset`, and the file reaches at least to their end.
  void put(uint64_t offset, std::vector<uint8_t> bytes) {
    size_ = std::max(size_, offset + bytes.size());
    pieces_.push_back({offset, std::move(bytes)});
  }
  void set_size(uint64_t size) { size_ = size; }
  [[nodiscard]] uint64_t size() const override { return size_; }
  // The most that was asked for in one view.
  [[nodiscard]] uint64_t largest_view() const { return largest_view_; }

 protected:
  [[nodiscard]] Bytes find(uint64_t offset, uint64_t size) const override {
    largest_view_ = std::max(largest_view_, size);
    if (size > kLargest) return {};  // NeedBytes: nobody should want so much at once
    std::vector<uint8_t> bytes(static_cast<size_t>(size));
    for (const Piece& piece : pieces_) {
      const uint64_t begin = std::max(offset, piece.offset);
      const uint64_t end = std::min(offset + size, piece.offset + piece.bytes.size());
      if (begin >= end) continue;
      const auto from = piece.bytes.begin() + static_cast<std::ptrdiff_t>(begin - piece.offset);
      std::copy(from, from + static_cast<std::ptrdiff_t>(end - begin),
                bytes.begin() + static_cast<std::ptrdiff_t>(begin - offset));
    }
    return views_.emplace_back(std::move(bytes));
  }

 private:
  static constexpr uint64_t kLargest = 4 << 20;

  struct Piece {
    uint64_t offset;
    std::vector<uint8_t> bytes;
  };

  uint64_t size_;
  std::vector<Piece> pieces_;
  mutable std::deque<std::vector<uint8_t>> views_;
  mutable uint64_t largest_view_ = 0;
};

}  // namespace ambry::formats::testing
