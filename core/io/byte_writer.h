// Appends little-endian fields to a growing buffer. The counterpart of ByteReader.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace ambry::io {

class ByteWriter {
 public:
  [[nodiscard]] uint64_t position() const { return bytes_.size(); }

  template <class T>
  void put(T value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    store_le(bytes_.data() + at, value);
  }
  // Overwrites bytes that were written before.
  template <class T>
  void put_at(uint64_t at, T value) {
    store_le(bytes_.data() + at, value);
  }
  void put_text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  void put_bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void put_zeros(uint64_t n) { bytes_.resize(bytes_.size() + static_cast<size_t>(n)); }
  // Appends zeros up to the next multiple of `alignment`.
  void align(uint64_t alignment) { put_zeros((alignment - position() % alignment) % alignment); }

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace ambry::io
