// Objects that JavaScript holds by number. Numbers are never used twice, so that a call with one
// whose object is gone finds nothing, which is an error like any other.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "api/loading/byte_sink.h"
#include "base/error.h"

namespace ambry::wasm {

// An integer below 2^53. JavaScript's numbers are doubles.
using Handle = double;

// The address of this stands for the type.
template <class T>
inline constexpr char kKind = 0;

struct HeldObject {
  const void* kind = nullptr;
  void* object = nullptr;
  void (*destroy)(void* object) = nullptr;
  api::ByteSink* sink = nullptr;  // the object, if it is one
};

[[nodiscard]] Handle hold(const HeldObject& object);
// Frees the object; false when there is none with this number.
[[nodiscard]] bool release(Handle handle);
// nullptr when there is none with this number, or of another kind.
[[nodiscard]] void* find_held(Handle handle, const void* kind);
[[nodiscard]] api::ByteSink* find_sink(Handle handle);
[[nodiscard]] Failure not_held();

template <class T>
[[nodiscard]] Handle hold(std::unique_ptr<T> object) {
  T* const raw = object.release();
  HeldObject held{&kKind<T>, raw, [](void* gone) { delete static_cast<T*>(gone); }, nullptr};
  if constexpr (std::derived_from<T, api::ByteSink>) held.sink = raw;
  return hold(held);
}

template <class T>
[[nodiscard]] T* find(Handle handle) {
  if constexpr (std::same_as<T, api::ByteSink>) {
    return find_sink(handle);
  } else {
    return static_cast<T*>(find_held(handle, &kKind<T>));
  }
}

}  // namespace ambry::wasm
