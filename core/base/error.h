// The one error type of the core. Bad data and bad use travel as `Error` inside `Result`; a bug of
// our own is an `assert`. `byte_offset` is the start of the faulty field, never the cursor after
// it, and `path` names the field as a reader of the format's page would: `tensors[3].shape[1]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry {

enum class ErrorCode : uint8_t {
  Truncated,
  BadMagic,
  UnsupportedVersion,
  BadValue,
  Overflow,
  LimitExceeded,
  Unsupported,
  Mismatch,
  NotFound,
  NeedBytes,
  Cancelled,
};

// The enumerator's own name, as printed in messages and JSON.
[[nodiscard]] std::string_view error_code_name(ErrorCode code);

// Errors that do not come from a place in a file (a bad option, a missing tensor) have no offset.
inline constexpr uint64_t kNoOffset = UINT64_MAX;

// Its special members are out of line: every Result that is passed on would inline them otherwise,
// and the WebAssembly would grow by a third.
struct Error {
  Error();
  Error(ErrorCode code_in, uint64_t byte_offset_in, std::string path_in, std::string message_in);
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  ErrorCode code = ErrorCode::BadValue;
  uint64_t byte_offset = kNoOffset;
  std::string path;
  std::string message;
  // Only for NeedBytes: how many bytes from `byte_offset` on are wanted before parsing can go on.
  uint64_t need_size = 0;
};

// An error about an argument or a missing thing, which has no place in a file.
[[nodiscard]] Error make_error(ErrorCode code, std::string path, std::string message);

// An error about the field of a file that starts at `byte_offset`.
[[nodiscard]] Error error_at(ErrorCode code, uint64_t byte_offset, std::string path,
                             std::string message);

// One line for people: `Truncated at byte 12, header.flags: 4 bytes wanted, 1 left`.
[[nodiscard]] std::string describe(const Error& error);

}  // namespace ambry
