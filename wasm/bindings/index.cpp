// Vector indexes: made, searched, saved and read back. What an index of rows and one of documents
// have in common is bound here.
#include "api/search/search_index.h"

#include <emscripten/bind.h>

#include <cstdint>
#include <string>

#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::IndexReader> = &api::IndexReader::window;

namespace {

using api::AnyIndex;
using api::Index;
using api::IndexReader;

JsText create_index(double dim, bool as_bytes) {
  return outcome(Index::create(static_cast<uint32_t>(dim), as_bytes));
}

JsText open_index(double size) { return outcome(IndexReader::begin(static_cast<uint64_t>(size))); }

JsText finish_index(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) { return file.finish(); });
}

JsText append(Handle index, const JsBytes& rows) {
  return with<Index>(index, [&](Index& vectors) { return vectors.append(floats_of(rows)); });
}

JsText index_facts(Handle index) {
  return with<AnyIndex>(index, [](const AnyIndex& opened) { return opened.facts(); });
}

JsText retain(Handle index, const JsBytes& marks) {
  return with<AnyIndex>(index,
                        [&](AnyIndex& opened) { return opened.retain(as_bytes(text_of(marks))); });
}

JsText search(Handle index, const JsBytes& query, const JsBytes& bias, double k) {
  return with<AnyIndex>(index, [&](AnyIndex& opened) {
    return opened.search(floats_of(query), floats_of(bias), static_cast<size_t>(k));
  });
}

// The three parts of the file.
JsText save(Handle index, const JsBytes& header) {
  return with<AnyIndex>(index, [&](AnyIndex& opened) -> Result<std::string> {
    AMBRY_TRY(const auto* file, opened.save(as_bytes(text_of(header))));
    return heap_ranges({file->head(), file->rows, file->tail()});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_index) {
  emscripten::function("createIndex", &create_index);
  emscripten::function("openIndex", &open_index);
  emscripten::function("finishIndex", &finish_index);
  emscripten::function("indexFacts", &index_facts);
  emscripten::function("append", &append);
  emscripten::function("retain", &retain);
  emscripten::function("search", &search);
  emscripten::function("save", &save);
}

}  // namespace ambry::wasm
