// The one place where results of the core become JavaScript values: {ok: true, value} or
// {ok: false, error: {code, message, byteOffset?, path?, needSize?}}.
#pragma once

#include <emscripten/val.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "base/result.h"

namespace ambry::wasm {

[[nodiscard]] emscripten::val failure(const Error& error);
[[nodiscard]] emscripten::val success(const emscripten::val& value);

template <class T>
inline constexpr bool kIsUniquePtr = false;
template <class T>
inline constexpr bool kIsUniquePtr<std::unique_ptr<T>> = true;

// Plain values cross by value, objects as handles that JavaScript owns and must delete().
template <class T>
[[nodiscard]] emscripten::val to_js(T value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || kIsUniquePtr<T>) {
    return emscripten::val(std::move(value));
  } else {
    return emscripten::val(std::make_unique<T>(std::move(value)));
  }
}

template <class T>
[[nodiscard]] emscripten::val outcome(Result<T> result) {
  if (!result) return failure(result.error());
  return success(to_js(std::move(result).value()));
}

[[nodiscard]] inline emscripten::val outcome(Result<void> result) {
  if (!result) return failure(result.error());
  return success(emscripten::val::null());
}

}  // namespace ambry::wasm
