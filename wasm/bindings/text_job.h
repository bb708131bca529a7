// What jobs over texts have in common (api::EmbedJob, api::SentenceJob): texts go in, batches run,
// rows come out.
#pragma once

#include <string>

#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <class Job>
[[nodiscard]] JsText add_text(Handle job, const JsBytes& text) {
  return with<Job>(job, [&](Job& embedding) -> Result<void> {
    embedding.add(text_of(text));
    return {};
  });
}

template <class Job>
[[nodiscard]] JsText start_texts(Handle job) {
  return with<Job>(job, [](Job& embedding) { return embedding.start(); });
}

template <class Job>
[[nodiscard]] JsText step_texts(Handle job) {
  return with<Job>(job, [](Job& embedding) -> Result<std::string> {
    AMBRY_TRY(const bool done, embedding.step());
    return concat({R"({"done":)", to_json(done), R"(,"doneTexts":)", embedding.done_texts(), "}"});
  });
}

// The rows of all texts, and how many each has.
template <class Job>
[[nodiscard]] JsText rows_of_texts(Handle job) {
  return with<Job>(job, [](const Job& embedding) {
    const auto rows = embedding.result();
    const auto counts = embedding.row_counts();
    return concat({R"({"dim":)", embedding.dim(), R"(,"rows":)",
                   heap_range(rows.data(), rows.size_bytes()), R"(,"rowCounts":)",
                   heap_range(counts.data(), counts.size_bytes()), "}"});
  });
}

}  // namespace ambry::wasm
