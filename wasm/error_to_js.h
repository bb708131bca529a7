// The one place where results of the core become JavaScript values: {ok: true, value} or
// {ok: false, error: {code, message, byteOffset?, path?, needSize?}}.
#pragma once

#include <emscripten/val.h>

#include <utility>

#include "base/result.h"

namespace ambry::wasm {

[[nodiscard]] emscripten::val failure(const Error& error);
[[nodiscard]] emscripten::val success(emscripten::val value);

// `wrap` turns the value into something embind can carry.
template <class T, class Wrap>
[[nodiscard]] emscripten::val outcome(Result<T> result, Wrap wrap) {
  if (!result) return failure(result.error());
  return success(emscripten::val(wrap(std::move(result).value())));
}

template <class T>
[[nodiscard]] emscripten::val outcome(Result<T> result) {
  return outcome(std::move(result), [](T value) { return value; });
}

[[nodiscard]] inline emscripten::val outcome(Result<void> result) {
  if (!result) return failure(result.error());
  return success(emscripten::val::null());
}

}  // namespace ambry::wasm
