// A set of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ambry::text {

class ByteSet {
 public:
  ByteSet() = default;
  ByteSet(uint8_t first, uint8_t last) { add(first, last); }

  void add(uint8_t first, uint8_t last) {
    for (unsigned byte = first; byte <= last; ++byte) words_[byte / 64] |= uint64_t{1} << byte % 64;
  }
  void add(const ByteSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool has(uint8_t byte) const { return (words_[byte / 64] >> byte % 64 & 1) != 0; }
  [[nodiscard]] bool is_empty() const { return *this == ByteSet(); }

  bool operator==(const ByteSet&) const = default;

 private:
  std::array<uint64_t, 4> words_{};
};

}  // namespace ambry::text
