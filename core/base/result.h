// Result<T>: a value or an Error, with the member names of std::expected (C++23), which libstdc++
// 12 does not have in C++20 mode. Reading the wrong side is a bug and asserts.
//
// The error is behind a pointer. Success is the common case, and passing a failure from caller to
// caller moves one pointer. This code is part of every fallible call, so it decides the size of the
// WebAssembly.
#pragma once

#include <cassert>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace ambry {

template <class T = void>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T> && !std::is_same_v<T, Error>);

 public:
  using value_type = T;

  Result(T value) : value_(std::move(value)) {}        // NOLINT(google-explicit-constructor)
  Result(Error error) : failure_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  [[gnu::always_inline]] Result(Failure failure)       // NOLINT(google-explicit-constructor)
      : failure_(std::move(failure)) {}
  Result(Result&&) noexcept = default;
  Result& operator=(Result&&) noexcept = default;
  [[gnu::always_inline]] ~Result() = default;

  [[nodiscard]] bool has_value() const { return !failure_.is_set(); }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] T& value() & {
    assert(has_value());
    return *value_;
  }
  [[nodiscard]] const T& value() const& {
    assert(has_value());
    return *value_;
  }
  [[nodiscard]] T&& value() && {
    assert(has_value());
    return *std::move(value_);
  }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] Error& error() & {
    assert(!has_value());
    return *failure_;
  }
  [[nodiscard]] const Error& error() const& {
    assert(!has_value());
    return *failure_;
  }
  [[nodiscard]] Error&& error() && {
    assert(!has_value());
    return std::move(*failure_);
  }
  // Moves the error out, for the caller's caller.
  [[gnu::always_inline]] [[nodiscard]] Failure take_error() {
    assert(!has_value());
    return std::move(failure_);
  }

 private:
  std::optional<T> value_;
  Failure failure_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : failure_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  [[gnu::always_inline]] Result(Failure failure)       // NOLINT(google-explicit-constructor)
      : failure_(std::move(failure)) {}
  Result(Result&&) noexcept = default;
  Result& operator=(Result&&) noexcept = default;
  [[gnu::always_inline]] ~Result() = default;

  [[nodiscard]] bool has_value() const { return !failure_.is_set(); }
  explicit operator bool() const { return has_value(); }
  void value() const { assert(has_value()); }

  [[nodiscard]] const Error& error() const& {
    assert(!has_value());
    return *failure_;
  }
  [[nodiscard]] Error&& error() && {
    assert(!has_value());
    return std::move(*failure_);
  }
  [[gnu::always_inline]] [[nodiscard]] Failure take_error() {
    assert(!has_value());
    return std::move(failure_);
  }

 private:
  Failure failure_;
};

}  // namespace ambry

// AMBRY_TRY(auto n, reader.read_u32("n")): takes the value, or returns the error to the caller. It
// uses the statement expressions of GCC and Clang, so that the Result is gone once its value is
// taken. A Result that lived on would be destroyed again on every way out of the function.
#define AMBRY_TRY(declaration, expression)               \
  declaration = ({                                       \
    auto ambry_result = (expression);                    \
    if (!ambry_result) return ambry_result.take_error(); \
    std::move(ambry_result).value();                     \
  })

// AMBRY_RETURN_IF_ERROR(write(bytes)): returns the error of a Result to the caller, and discards a
// value.
#define AMBRY_RETURN_IF_ERROR(expression)                                                  \
  do {                                                                                     \
    if (auto ambry_status = (expression); !ambry_status) return ambry_status.take_error(); \
  } while (false)
