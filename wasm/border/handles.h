// Objects that JavaScript holds by number. Numbers are never used twice, so that a call with one
// whose object is gone finds nothing, which is an error like any other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "api/decoder/pass_job.h"
#include "api/loading/byte_sink.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "api/model/text_job.h"
#include "api/search/any_index.h"
#include "api/search/vector_job.h"
#include "base/bytes.h"
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
  // The interface by which the object is found, too, if it has one.
  const void* interface_kind = nullptr;
  void* interface = nullptr;
  // The bytes of the object that JavaScript reads or writes, if it has some.
  MutableBytes (*range)(void* object) = nullptr;
};

// What gives these bytes, or numbers, of a type: a member. The one file that makes objects of the
// type names it, since every file must see the same:
// `template <> constexpr auto kRangeOf<api::MapJob> = &api::MapJob::positions;`
template <class T>
inline constexpr auto kRangeOf = nullptr;
template <std::derived_from<api::ByteSink> T>
inline constexpr auto kRangeOf<T> = &api::ByteSink::window;
template <std::derived_from<api::AnyIndex> T>
inline constexpr auto kRangeOf<T> = &api::AnyIndex::header;

// How objects of this type are held: models and loaders as those of any kind, since they are made
// as such.
template <class T>
using HeldAs =
    std::conditional_t<std::derived_from<T, api::OpenedModel>, api::OpenedModel,
                       std::conditional_t<std::derived_from<T, api::Loader>, api::Loader, T>>;

[[nodiscard]] Handle hold(const HeldObject& object);
// Frees the object; false when there is none with this number.
[[nodiscard]] bool release(Handle handle);
// nullptr when there is none with this number, or of another kind.
[[nodiscard]] void* find_held(Handle handle, const void* kind);
// Nothing is held when there is none with this number.
[[nodiscard]] HeldObject held_as(Handle handle);
[[nodiscard]] Failure not_held();

template <class T>
[[nodiscard]] MutableBytes range_of(void* object) {
  auto&& numbers = std::invoke(kRangeOf<T>, *static_cast<T*>(object));
  if constexpr (std::same_as<decltype(numbers), MutableBytes&&>) {
    return numbers;
  } else {
    // JavaScript does not write to what is for reading only.
    return {const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(numbers.data())),
            numbers.size() * sizeof(*numbers.data())};
  }
}

// Finds the object by an interface, too.
template <class Interface, class T>
void show_as(T* object, HeldObject& held) {
  if constexpr (std::derived_from<T, Interface>) {
    held.interface_kind = &kKind<Interface>;
    held.interface = static_cast<Interface*>(object);
  }
}

template <class T>
[[nodiscard]] Handle hold(std::unique_ptr<T> object) {
  HeldAs<T>* const raw = object.release();
  HeldObject held{&kKind<HeldAs<T>>, raw, [](void* gone) { delete static_cast<HeldAs<T>*>(gone); }};
  if constexpr (!std::same_as<decltype(kRangeOf<HeldAs<T>>), const std::nullptr_t>) {
    held.range = range_of<HeldAs<T>>;
  }
  show_as<api::ByteSink>(raw, held);
  show_as<api::TextJob>(raw, held);
  show_as<api::PassJob>(raw, held);
  show_as<api::AnyIndex>(raw, held);
  show_as<api::VectorJob>(raw, held);
  return hold(held);
}

template <class T>
[[nodiscard]] T* find(Handle handle) {
  if constexpr (!std::same_as<T, HeldAs<T>>) {
    HeldAs<T>* const any = find<HeldAs<T>>(handle);
    return any == nullptr ? nullptr : api::as<T>(*any);
  } else {
    return static_cast<T*>(find_held(handle, &kKind<T>));
  }
}

}  // namespace ambry::wasm
