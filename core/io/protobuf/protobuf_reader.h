// Reads the wire format of Protocol Buffers, one field after another. It reads only the given bytes
// and allocates nothing. A nested message is read by another reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace ambry::io {

struct ProtobufField {
  enum class Wire : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  uint32_t number = 0;
  Wire wire = Wire::Varint;
  uint64_t value = 0;         // raw value of a Varint, Fixed64 or Fixed32 field
  Bytes bytes;                // content of a Bytes field
  uint64_t offset = 0;        // where the field starts in the file
  uint64_t bytes_offset = 0;  // where `bytes` starts in the file

  [[nodiscard]] bool is_varint(uint32_t n) const { return number == n && wire == Wire::Varint; }
  [[nodiscard]] bool is_bytes(uint32_t n) const { return number == n && wire == Wire::Bytes; }
  [[nodiscard]] bool is_fixed32(uint32_t n) const { return number == n && wire == Wire::Fixed32; }
  [[nodiscard]] std::string_view text() const { return as_text(bytes); }
};

class ProtobufReader {
 public:
  // `bytes` must outlive the reader. They start at `offset` of their file, and `path` is the path
  // of errors.
  ProtobufReader(Bytes bytes, uint64_t offset, std::string_view path)
      : bytes_(bytes), offset_(offset), path_(path) {}

  // The next field, or nothing at the end. Truncated when the bytes end inside the field; BadValue
  // for field number 0, for groups and for unknown wire types.
  [[nodiscard]] Result<std::optional<ProtobufField>> next();

 private:
  [[nodiscard]] Failure fail(ErrorCode code, size_t at, const Text& message) const;
  [[nodiscard]] Result<uint64_t> read_varint();
  [[nodiscard]] Result<uint64_t> read_fixed(size_t size);

  Bytes bytes_;
  uint64_t offset_;
  std::string_view path_;
  size_t position_ = 0;
};

}  // namespace ambry::io
