// What every module has: files as they arrive, in parts that parsers ask for or as streams into
// sinks; the release of objects that JavaScript holds; which flavour this is.
#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "api/files/inspect.h"
#include "api/loading/partial_source.h"
#include "border/handles.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::ByteSink;
using api::PartialSource;

JsText simd_flavour() { return js_text(api::simd_flavour()); }

JsText create_source(double size, bool streams_by) {
  const bool known = size >= 0;
  return outcome(std::make_unique<PartialSource>(
      known ? static_cast<uint64_t>(size) : PartialSource::kUnknownSize, streams_by));
}

JsText insert(Handle source, double offset, const JsBytes& bytes) {
  return with<PartialSource>(source, [&](PartialSource& parts) {
    return parts.insert(static_cast<uint64_t>(offset), as_bytes(text_of(bytes)));
  });
}

JsText ends_at(Handle source, double size) {
  return with<PartialSource>(source, [&](PartialSource& parts) -> Result<void> {
    parts.set_size(static_cast<uint64_t>(size));
    return {};
  });
}

JsText join_parts(Handle source, const std::string& ends) {
  return with<PartialSource>(source, [&](PartialSource& parts) { return api::join(parts, ends); });
}

JsText sink_range(Handle sink) {
  return with<ByteSink>(sink, [](const ByteSink& bytes) {
    return concat({R"({"start":)", bytes.start(), R"(,"wanted":)", bytes.wanted(), "}"});
  });
}

JsText range_of_held(Handle handle) {
  const HeldObject held = held_as(handle);
  if (held.range == nullptr) return js_text(api::failure_text(*not_held()));
  const MutableBytes bytes = held.range(held.object);
  return outcome(heap_range(bytes.data(), bytes.size()));
}

JsText commit(Handle sink, double n) {
  return with<ByteSink>(sink,
                        [&](ByteSink& bytes) { return bytes.commit(static_cast<size_t>(n)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_core) {
  emscripten::function("simdFlavour", &simd_flavour);
  emscripten::function("release", &release);
  emscripten::function("createSource", &create_source);
  emscripten::function("insert", &insert);
  emscripten::function("endsAt", &ends_at);
  emscripten::function("joinParts", &join_parts);
  emscripten::function("sinkRange", &sink_range);
  emscripten::function("rangeOf", &range_of_held);
  emscripten::function("commit", &commit);
}

}  // namespace ambry::wasm
