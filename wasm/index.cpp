// Vector indexes: made, searched, saved and read back.
#include "api/index.h"

#include <emscripten/bind.h>

#include <cstdint>
#include <string>

#include "numbers.h"
#include "outcome.h"

namespace ambry::wasm {
namespace {

using api::Index;
using api::IndexReader;

std::string create_index(double dim) { return outcome(Index::create(static_cast<uint32_t>(dim))); }

std::string open_index(double size) {
  return outcome(IndexReader::begin(static_cast<uint64_t>(size)));
}

std::string reader_window(Handle reader) {
  return with<IndexReader>(reader, [](IndexReader& file) {
    return heap_range(file.window().data(), file.window().size());
  });
}

std::string finish_index(Handle reader) {
  return with<IndexReader>(reader, [](const IndexReader& file) { return file.finish(); });
}

std::string index_facts(Handle index) {
  return with<Index>(index, [](const Index& vectors) {
    return concat({R"({"dim":)", vectors.dim(), R"(,"size":)", vectors.size(), R"(,"header":)",
                   api::quoted(vectors.header()), "}"});
  });
}

std::string append(Handle index, const std::string& rows) {
  return with<Index>(index, [&](Index& vectors) -> Result<uint32_t> {
    AMBRY_CHECK(vectors.append(floats_in(rows)));
    return vectors.size();
  });
}

std::string search(Handle index, const std::string& query, double k) {
  return with<Index>(index, [&](const Index& vectors) {
    return vectors.search(floats_in(query), static_cast<size_t>(k));
  });
}

std::string save(Handle index, const std::string& header) {
  return with<Index>(index, [&](Index& vectors) -> Result<std::string> {
    AMBRY_TRY(const Bytes file, vectors.save(header));
    return heap_range(file.data(), file.size());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_index) {
  emscripten::function("createIndex", &create_index);
  emscripten::function("openIndex", &open_index);
  emscripten::function("readerWindow", &reader_window);
  emscripten::function("finishIndex", &finish_index);
  emscripten::function("indexFacts", &index_facts);
  emscripten::function("append", &append);
  emscripten::function("search", &search);
  emscripten::function("save", &save);
}

}  // namespace ambry::wasm
