#include "base/error.h"

#include <array>

namespace ambry {

std::string_view error_code_name(ErrorCode code) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "Truncated",     "BadMagic",    "UnsupportedVersion", "BadValue", "Overflow",
      "LimitExceeded", "Unsupported", "Mismatch",           "NotFound", "NeedBytes",
      "Cancelled"};
  return kNames[static_cast<size_t>(code)];
}

std::string describe(const Error& error) {
  std::string line(error_code_name(error.code));
  if (error.byte_offset != kNoOffset) line += " at byte " + std::to_string(error.byte_offset);
  if (!error.path.empty()) line += ", " + error.path;
  return line + ": " + error.message;
}

}  // namespace ambry
