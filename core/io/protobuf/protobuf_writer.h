// Writes fields in the wire format of Protocol Buffers. The counterpart of ProtobufReader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/protobuf/protobuf_reader.h"

namespace ambry::io {

class ProtobufWriter {
 public:
  void put_varint(uint32_t number, uint64_t value) {
    put_key(number, ProtobufField::Wire::Varint);
    put_raw_varint(value);
  }
  void put_fixed32(uint32_t number, uint32_t value) {
    put_key(number, ProtobufField::Wire::Fixed32);
    for (int shift = 0; shift < 32; shift += 8) message_ += static_cast<char>(value >> shift);
  }
  // For strings and nested messages.
  void put_bytes(uint32_t number, std::string_view bytes) {
    put_key(number, ProtobufField::Wire::Bytes);
    put_raw_varint(bytes.size());
    message_ += bytes;
  }
  [[nodiscard]] std::string take() { return std::exchange(message_, {}); }

 private:
  void put_key(uint32_t number, ProtobufField::Wire wire) {
    put_raw_varint(uint64_t{number} << 3U | static_cast<uint64_t>(wire));
  }
  void put_raw_varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7U) message_ += static_cast<char>(value | 0x80U);
    message_ += static_cast<char>(value);
  }

  std::string message_;
};

}  // namespace ambry::io
