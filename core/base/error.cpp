#include "base/error.h"

#include <array>
#include <utility>

namespace ambry {

Error::Error() = default;
Error::Error(ErrorCode code_in, uint64_t byte_offset_in, std::string path_in,
             std::string message_in)
    : code(code_in),
      byte_offset(byte_offset_in),
      path(std::move(path_in)),
      message(std::move(message_in)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Failure::Failure(Error error) : error_(new Error(std::move(error))) {}

void Failure::destroy(Error* error) { delete error; }

Failure make_error(ErrorCode code, const Text& path, const Text& message) {
  return error_at(code, kNoOffset, path, message);
}

Failure make_error(ErrorCode code, const char* path, const char* message) {
  return error_at(code, kNoOffset, path, message);
}

Failure error_at(ErrorCode code, uint64_t byte_offset, const Text& path, const Text& message) {
  return Failure(Error(code, byte_offset, path.str(), message.str()));
}

Failure error_at(ErrorCode code, uint64_t byte_offset, const char* path, const char* message) {
  return error_at(code, byte_offset, Text(path), Text(message));
}

std::string_view error_code_name(ErrorCode code) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "Truncated",   "BadMagic", "UnsupportedVersion", "BadValue",  "Overflow", "LimitExceeded",
      "Unsupported", "Mismatch", "NotFound",           "NeedBytes", "Cancelled"};
  return kNames[static_cast<size_t>(code)];
}

std::string describe(const Error& error) {
  std::string line(error_code_name(error.code));
  if (error.byte_offset != kNoOffset) line += concat({" at byte ", error.byte_offset});
  if (!error.path.empty()) line += concat({", ", error.path});
  return concat({line, ": ", error.message});
}

}  // namespace ambry
