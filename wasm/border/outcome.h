// The one place where results of the core become what JavaScript gets: see api/call/outcome.h.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/call/outcome.h"
#include "base/bytes.h"
#include "base/concat.h"
#include "base/result.h"
#include "border/handles.h"
#include "border/js_values.h"

namespace ambry::wasm {

template <class T>
inline constexpr bool kIsUniquePtr = false;
template <class T>
inline constexpr bool kIsUniquePtr<std::unique_ptr<T>> = true;

// Strings are JSON text already; numbers are below 2^53; objects become handles, which JavaScript
// must release.
template <class T>
[[nodiscard]] std::string to_json(T value) {
  if constexpr (std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::unsigned_integral<T>) {
    return concat({value});
  } else if constexpr (kIsUniquePtr<T>) {
    return concat({static_cast<uint64_t>(hold(std::move(value)))});
  } else {
    return to_json(std::make_unique<T>(std::move(value)));
  }
}

template <class T>
[[nodiscard]] JsText outcome(T value) {
  return js_text(api::success_text(to_json(std::move(value))));
}

template <class T>
[[nodiscard]] JsText outcome(Result<T> result) {
  if (!result) return js_text(api::failure_text(result.error()));
  return outcome(std::move(result).value());
}

[[nodiscard]] inline JsText outcome(Result<void> result) {
  if (!result) return js_text(api::failure_text(result.error()));
  return js_text(api::success_text("null"));
}

// What `use` makes of the object with this number.
template <class T, class Use>
[[nodiscard]] JsText with(Handle handle, const Use& use) {
  T* const object = find<T>(handle);
  if (object == nullptr) return js_text(api::failure_text(*not_held()));
  return outcome(use(*object));
}

// {address, size} of heap memory, for a view over HEAPU8.
[[nodiscard]] inline std::string heap_range(const void* data, size_t size) {
  return concat({R"({"address":)", reinterpret_cast<uintptr_t>(data), R"(,"size":)", size, "}"});
}

// The pieces of a file, one after another.
[[nodiscard]] inline std::string heap_ranges(const std::array<Bytes, 3>& pieces) {
  const auto range = [](Bytes piece) { return heap_range(piece.data(), piece.size()); };
  return concat({"[", range(pieces[0]), ",", range(pieces[1]), ",", range(pieces[2]), "]"});
}

}  // namespace ambry::wasm
