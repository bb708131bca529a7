// What indexes of rows and of documents have in common (api::Index, api::Documents).
#pragma once

#include <string>

#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <class Index>
[[nodiscard]] JsText facts_of_index(Handle index) {
  return with<Index>(index, [](const Index& opened) { return opened.facts(); });
}

template <class Index>
[[nodiscard]] JsText header_of_index(Handle index) {
  return with<Index>(index, [](const Index& opened) {
    return heap_range(opened.header().data(), opened.header().size());
  });
}

template <class Index>
[[nodiscard]] JsText retain_in_index(Handle index, const JsBytes& marks) {
  return with<Index>(index, [&](Index& opened) { return opened.retain(as_bytes(text_of(marks))); });
}

template <class Index>
[[nodiscard]] JsText search_in_index(Handle index, const JsBytes& query, const JsBytes& bias,
                                     double k) {
  return with<Index>(index, [&](const Index& opened) {
    return opened.search(floats_of(query), floats_of(bias), static_cast<size_t>(k));
  });
}

// The three parts of the file.
template <class Index>
[[nodiscard]] JsText save_index(Handle index, const JsBytes& header) {
  return with<Index>(index, [&](Index& opened) -> Result<std::string> {
    AMBRY_TRY(const auto* file, opened.save(as_bytes(text_of(header))));
    return heap_ranges({file->head(), file->rows, file->tail()});
  });
}

}  // namespace ambry::wasm
