// Vector indexes: made, searched, saved and read back.
#include "api/search/search_index.h"

#include <emscripten/bind.h>

#include <cstdint>
#include <string>

#include "bindings/index_calls.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Index;
using api::IndexReader;

JsText create_index(double dim, bool as_bytes) {
  return outcome(Index::create(static_cast<uint32_t>(dim), as_bytes));
}

JsText open_index(double size) { return outcome(IndexReader::begin(static_cast<uint64_t>(size))); }

JsText reader_window(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) {
    return heap_range(file.window().data(), file.window().size());
  });
}

JsText finish_index(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) { return file.finish(); });
}

JsText append(Handle index, const JsBytes& rows) {
  return with<Index>(index, [&](Index& vectors) { return vectors.append(floats_of(rows)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_index) {
  emscripten::function("createIndex", &create_index);
  emscripten::function("openIndex", &open_index);
  emscripten::function("readerWindow", &reader_window);
  emscripten::function("finishIndex", &finish_index);
  emscripten::function("indexFacts", &facts_of_index<Index>);
  emscripten::function("indexHeader", &header_of_index<Index>);
  emscripten::function("append", &append);
  emscripten::function("retain", &retain_in_index<Index>);
  emscripten::function("search", &search_in_index<Index>);
  emscripten::function("save", &save_index<Index>);
}

}  // namespace ambry::wasm
