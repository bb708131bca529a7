// What embind carries for the core's byte sinks: a movable handle, and the calls all sinks share.
#pragma once

#include <emscripten/bind.h>

#include <memory>
#include <span>
#include <utility>

#include "api/byte_sink.h"
#include "error_to_js.h"

namespace ambry::wasm {

// {address, size} of heap memory, for a view over HEAPU8.
[[nodiscard]] inline emscripten::val heap_range(const void* data, size_t size) {
  emscripten::val range = emscripten::val::object();
  range.set("address", static_cast<double>(reinterpret_cast<uintptr_t>(data)));
  range.set("size", static_cast<double>(size));
  return range;
}

template <class Sink>
struct SinkHandle {
  explicit SinkHandle(std::unique_ptr<Sink> owned) : sink(std::move(owned)) {}
  std::unique_ptr<Sink> sink;
};

// The class with start, wanted, window and commit; the caller adds finish.
template <class Sink>
emscripten::class_<SinkHandle<Sink>> bind_sink(const char* name) {
  using Handle = SinkHandle<Sink>;
  return emscripten::class_<Handle>(name)
      .function(
          "start", +[](const Handle& h) { return static_cast<double>(h.sink->start()); })
      .function(
          "wanted", +[](const Handle& h) { return static_cast<double>(h.sink->wanted()); })
      .function(
          "window",
          +[](Handle& h) {
            const MutableBytes window = h.sink->window();
            return heap_range(window.data(), window.size());
          })
      .function(
          "commit",
          +[](Handle& h, double n) { return outcome(h.sink->commit(static_cast<size_t>(n))); });
}

}  // namespace ambry::wasm
