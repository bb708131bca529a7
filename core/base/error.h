// The error type of the core. Bad data and bad use travel as `Error` inside `Result`; a bug of our
// own is an `assert`. `byte_offset` is the start of the faulty field, not the cursor after it.
// `path` names the field as the format's page does: `tensors[3].shape[1]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/concat.h"

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

// The enumerator's name, as printed in messages and JSON.
[[nodiscard]] std::string_view error_code_name(ErrorCode code);

// The offset of errors that have no place in a file: a bad option, a missing tensor.
inline constexpr uint64_t kNoOffset = UINT64_MAX;

// The special members are out of line. Otherwise every Result that is passed on would inline them
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
  // For NeedBytes: how many bytes from `byte_offset` on are needed to go on. For Truncated: the
  // size of the whole file, where the file states it, and else 0 (base/cut_off.h).
  uint64_t need_size = 0;
  // Only for NeedBytes: which file, where several are read at once.
  uint32_t need_file = 0;
};

// Lets a class that is a single owning pointer be passed in a register.
#if defined(__clang__)
#define AMBRY_TRIVIAL_ABI [[clang::trivial_abi]]
#else
#define AMBRY_TRIVIAL_ABI
#endif

// An owned Error on its way to the caller. It is set when it comes from make_error(), error_at() or
// Result::take_error(). A hand-written std::unique_ptr that is inlined even when the compiler
// optimizes for size: every fallible call passes one on, and once inlined nearly all of that code
// vanishes.
class AMBRY_TRIVIAL_ABI Failure {
 public:
  Failure() = default;
  explicit Failure(Error error);
  [[gnu::always_inline]] Failure(Failure&& other) noexcept
      : error_(std::exchange(other.error_, nullptr)) {}
  Failure& operator=(Failure&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  [[gnu::always_inline]] ~Failure() {
    if (error_ != nullptr) destroy(error_);
  }

  [[nodiscard]] bool is_set() const { return error_ != nullptr; }
  [[nodiscard]] Error& operator*() const { return *error_; }
  [[nodiscard]] Error* operator->() const { return error_; }
  operator Error() && { return std::move(*error_); }  // NOLINT(google-explicit-constructor)

 private:
  static void destroy(Error* error);

  Error* error_ = nullptr;
};

// An error about an argument or a missing thing, without a place in a file. Path and message are
// one text or a list of pieces in braces. The overload for literals keeps its many calls short.
[[nodiscard]] Failure make_error(ErrorCode code, const Text& path, const Text& message);
[[nodiscard]] Failure make_error(ErrorCode code, const char* path, const char* message);

// An error about the field of a file that starts at `byte_offset`.
[[nodiscard]] Failure error_at(ErrorCode code, uint64_t byte_offset, const Text& path,
                               const Text& message);
[[nodiscard]] Failure error_at(ErrorCode code, uint64_t byte_offset, const char* path,
                               const char* message);

// One line for people: `Truncated at byte 12, header.flags: 4 bytes wanted, 1 left`.
[[nodiscard]] std::string describe(const Error& error);

}  // namespace ambry
