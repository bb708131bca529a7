// What several bindings share: heap ranges, and the calls of all byte sinks.
#pragma once

#include <emscripten/bind.h>

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

// The class with start, wanted, window and commit; the caller adds finish.
template <class Sink>
emscripten::class_<Sink> bind_sink(const char* name) {
  return emscripten::class_<Sink>(name)
      .function(
          "start", +[](const Sink& sink) { return static_cast<double>(sink.start()); })
      .function(
          "wanted", +[](const Sink& sink) { return static_cast<double>(sink.wanted()); })
      .function(
          "window",
          +[](Sink& sink) {
            const MutableBytes window = sink.window();
            return heap_range(window.data(), window.size());
          })
      .function(
          "commit",
          +[](Sink& sink, double n) { return outcome(sink.commit(static_cast<size_t>(n))); });
}

}  // namespace ambry::wasm
