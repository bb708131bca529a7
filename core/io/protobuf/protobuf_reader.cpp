#include "io/protobuf/protobuf_reader.h"

namespace ambry::io {

using Wire = ProtobufField::Wire;

Failure ProtobufReader::fail(ErrorCode code, size_t at, const Text& message) const {
  return error_at(code, offset_ + at, path_, message);
}

Result<uint64_t> ProtobufReader::read_varint() {
  constexpr size_t kMaxBytes = 10;
  const size_t start = position_;
  uint64_t value = 0;
  for (size_t i = 0; i < kMaxBytes; ++i) {
    if (position_ == bytes_.size()) {
      return fail(ErrorCode::Truncated, start, "the bytes end inside a varint");
    }
    const uint8_t byte = bytes_[position_++];
    value |= uint64_t{byte & 0x7FU} << (7 * i);
    if (byte < 0x80) return value;
  }
  return fail(ErrorCode::BadValue, start, "the varint is longer than 10 bytes");
}

Result<uint64_t> ProtobufReader::read_fixed(size_t size) {
  if (bytes_.size() - position_ < size) {
    return fail(ErrorCode::Truncated, position_, "the bytes end inside a fixed-size value");
  }
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | bytes_[position_ + i];
  position_ += size;
  return value;
}

Result<std::optional<ProtobufField>> ProtobufReader::next() {
  if (position_ == bytes_.size()) return std::optional<ProtobufField>();
  ProtobufField field;
  const size_t start = position_;
  field.offset = offset_ + start;
  AMBRY_TRY(const uint64_t tag, read_varint());
  if (tag >> 3 == 0 || tag > UINT32_MAX) {
    return fail(ErrorCode::BadValue, start, {"field number ", tag >> 3, " is not allowed"});
  }
  field.number = static_cast<uint32_t>(tag >> 3);
  field.wire = static_cast<Wire>(tag & 7);
  switch (field.wire) {
    case Wire::Varint: {
      AMBRY_TRY(field.value, read_varint());
      break;
    }
    case Wire::Fixed64: {
      AMBRY_TRY(field.value, read_fixed(8));
      break;
    }
    case Wire::Fixed32: {
      AMBRY_TRY(field.value, read_fixed(4));
      break;
    }
    case Wire::Bytes: {
      AMBRY_TRY(const uint64_t size, read_varint());
      if (size > bytes_.size() - position_) {
        return fail(ErrorCode::Truncated, start,
                    {"field ", field.number, " has ", size, " bytes, but only ",
                     bytes_.size() - position_, " remain"});
      }
      field.bytes = bytes_.subspan(position_, static_cast<size_t>(size));
      field.bytes_offset = offset_ + position_;
      position_ += static_cast<size_t>(size);
      break;
    }
    default:
      return fail(ErrorCode::BadValue, start, {"wire type ", tag & 7, " is not supported"});
  }
  return std::optional<ProtobufField>(field);
}

}  // namespace ambry::io
