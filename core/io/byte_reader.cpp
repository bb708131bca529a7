#include "io/byte_reader.h"

#include <algorithm>

#include "base/checked.h"
#include "base/utf8.h"

namespace ambry::io {

Result<Bytes> ByteReader::read_bytes(uint64_t size, const char* field) {
  auto bytes = source_.view(position_, size, field);
  if (!bytes) {
    Error& error = bytes.error();
    error.path = path_of(field);
    if (error.code == ErrorCode::NeedBytes) {
      error.need_size =
          std::min(std::max(error.need_size, read_ahead_), source_.size() - error.byte_offset);
    }
    return bytes.take_error();
  }
  position_ += size;
  return *bytes;
}

Result<uint64_t> ByteReader::read_unsigned(size_t size, const char* field) {
  AMBRY_TRY(const Bytes bytes, read_bytes(size, field));
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

Result<std::string_view> ByteReader::read_utf8(uint64_t size, const char* field) {
  const uint64_t start = position_;
  AMBRY_TRY(const Bytes bytes, read_bytes(size, field));
  const std::string_view text = as_text(bytes);
  if (const auto bad = find_invalid_utf8(text)) {
    return fail(ErrorCode::BadValue, start + *bad, field, "not valid UTF-8");
  }
  return text;
}

Result<void> ByteReader::skip(uint64_t size, const char* field) {
  if (size > remaining()) {
    return fail(ErrorCode::Truncated, position_, field,
                {size, " bytes expected, ", remaining(), " left before the end of the file"});
  }
  position_ += size;
  return {};
}

Result<void> ByteReader::check_count(uint64_t count, uint64_t min_record_bytes, const char* field,
                                     uint64_t field_offset) const {
  const auto min_bytes = checked_mul(count, min_record_bytes);
  if (min_bytes && *min_bytes <= remaining()) return {};
  return fail(ErrorCode::Truncated, field_offset, field,
              {count, " records of at least ", min_record_bytes, " bytes do not fit into the ",
               remaining(), " bytes that remain"});
}

Result<void> ByteReader::expect_end() const {
  if (remaining() == 0) return {};
  return fail(ErrorCode::BadValue, position_, "end", {remaining(), " bytes follow after the end"});
}

Failure ByteReader::fail(ErrorCode code, uint64_t offset, const char* field,
                         const Text& message) const {
  return error_at(code, offset, path_of(field), message);
}

std::string ByteReader::path_of(const char* field) const {
  std::string path;
  for (const ScopeName& scope : scopes_) {
    path += scope.name;
    if (scope.index != kNoIndex) path += concat({"[", scope.index, "]"});
    path += '.';
  }
  return path += field;
}

}  // namespace ambry::io
