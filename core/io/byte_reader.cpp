#include "io/byte_reader.h"

#include <utility>

#include "base/checked.h"
#include "base/utf8.h"

namespace ambry::io {

Result<Bytes> ByteReader::read_bytes(uint64_t size, std::string_view field) {
  auto bytes = source_.view(position_, size, field);
  if (!bytes) {
    Error error = std::move(bytes).error();
    error.path = path_of(field);
    return error;
  }
  position_ += size;
  return *bytes;
}

Result<std::string_view> ByteReader::read_utf8(uint64_t size, std::string_view field) {
  const uint64_t start = position_;
  AMBRY_TRY(const Bytes bytes, read_bytes(size, field));
  const std::string_view text = as_text(bytes);
  if (const auto bad = find_invalid_utf8(text)) {
    return fail(ErrorCode::BadValue, start + *bad, field, "not valid UTF-8");
  }
  return text;
}

Result<void> ByteReader::skip(uint64_t size, std::string_view field) {
  if (size > remaining()) {
    return fail(ErrorCode::Truncated, position_, field,
                std::to_string(size) + " bytes expected, " + std::to_string(remaining()) +
                    " left before the end of the file");
  }
  position_ += size;
  return {};
}

Result<void> ByteReader::check_count(uint64_t count, uint64_t min_record_bytes,
                                     std::string_view field, uint64_t field_offset) const {
  const auto least = checked_mul(count, min_record_bytes);
  if (least && *least <= remaining()) return {};
  return fail(ErrorCode::Truncated, field_offset, field,
              std::to_string(count) + " records of at least " + std::to_string(min_record_bytes) +
                  " bytes do not fit into the " + std::to_string(remaining()) + " bytes that remain");
}

Result<void> ByteReader::expect_end() const {
  if (remaining() == 0) return {};
  return fail(ErrorCode::BadValue, position_, "end",
              std::to_string(remaining()) + " bytes follow after the end");
}

Error ByteReader::fail(ErrorCode code, uint64_t offset, std::string_view field,
                       std::string message) const {
  return error_at(code, offset, path_of(field), std::move(message));
}

std::string ByteReader::path_of(std::string_view field) const {
  std::string path;
  for (const ScopeName& scope : scopes_) {
    path += scope.name;
    if (scope.index != kNoIndex) path += '[' + std::to_string(scope.index) + ']';
    path += '.';
  }
  return path + std::string(field);
}

}  // namespace ambry::io
