// Vector indexes: made, searched, saved and read back.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "api/index.h"
#include "error_to_js.h"
#include "handles.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

// The numbers in bytes of any alignment; a part of a number at the end is left for the core to
// miss.
std::vector<float> floats_in(const std::string& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

val append(api::Index& index, const std::string& rows) {
  return outcome(index.append(floats_in(rows)));
}

val search(const api::Index& index, const std::string& query, double k) {
  return outcome(index.search(floats_in(query), static_cast<size_t>(k)));
}

val save(api::Index& index, const std::string& header) {
  const auto file = index.save(header);
  if (!file) return failure(file.error());
  return success(heap_range(file->data(), file->size()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_index) {
  emscripten::class_<api::Index>("VectorIndex")
      .function("dim", &api::Index::dim)
      .function("size", &api::Index::size)
      .function("append", &append)
      .function("search", &search)
      .function("save", &save)
      .function("header", &api::Index::header);

  emscripten::class_<api::IndexReader>("IndexReader")
      .function(
          "window",
          +[](api::IndexReader& reader) {
            return heap_range(reader.window().data(), reader.window().size());
          })
      .function("finish", +[](api::IndexReader& reader) { return outcome(reader.finish()); });

  emscripten::function(
      "createIndex", +[](uint32_t dim) { return outcome(api::Index::create(dim)); });
  emscripten::function(
      "openIndex",
      +[](double size) { return outcome(api::IndexReader::begin(static_cast<uint64_t>(size))); });
}

}  // namespace ambry::wasm
