// Result<T>: a value or an Error, with the member names of std::expected (C++23), which libstdc++ 12
// does not offer in C++20 mode. Reading the wrong side is a bug and asserts.
#pragma once

#include <cassert>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"

namespace ambry {

template <class T = void>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T> && !std::is_same_v<T, Error>);

 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}     // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] T& value() & {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    assert(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] Error& error() & {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Error&& error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return !failed_; }
  explicit operator bool() const { return has_value(); }
  void value() const { assert(has_value()); }

  [[nodiscard]] const Error& error() const& {
    assert(failed_);
    return error_;
  }
  [[nodiscard]] Error&& error() && {
    assert(failed_);
    return std::move(error_);
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace ambry

#define AMBRY_CONCAT_INNER(a, b) a##b
#define AMBRY_CONCAT(a, b) AMBRY_CONCAT_INNER(a, b)

// AMBRY_TRY(auto n, reader.read_u32("n")): the value, or return the error to the caller.
#define AMBRY_TRY(declaration, expression) \
  AMBRY_TRY_INNER(AMBRY_CONCAT(ambry_try_, __LINE__), declaration, expression)
#define AMBRY_TRY_INNER(result, declaration, expression) \
  auto result = (expression);                            \
  if (!result) return std::move(result).error();         \
  declaration = std::move(result).value()

// The same for a Result<void>, or to drop the value.
#define AMBRY_CHECK(expression)                                                              \
  do {                                                                                       \
    if (auto ambry_check = (expression); !ambry_check) return std::move(ambry_check).error(); \
  } while (false)
