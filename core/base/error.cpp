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

Error make_error(ErrorCode code, std::string path, std::string message) {
  return {code, kNoOffset, std::move(path), std::move(message)};
}

Error error_at(ErrorCode code, uint64_t byte_offset, std::string path, std::string message) {
  return {code, byte_offset, std::move(path), std::move(message)};
}

std::string_view error_code_name(ErrorCode code) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "Truncated",   "BadMagic", "UnsupportedVersion", "BadValue",  "Overflow", "LimitExceeded",
      "Unsupported", "Mismatch", "NotFound",           "NeedBytes", "Cancelled"};
  return kNames[static_cast<size_t>(code)];
}

std::string describe(const Error& error) {
  std::string line(error_code_name(error.code));
  if (error.byte_offset != kNoOffset) line += " at byte " + std::to_string(error.byte_offset);
  if (!error.path.empty()) line += ", " + error.path;
  return line + ": " + error.message;
}

}  // namespace ambry
