// Jobs over texts (api::TextJob) of every kind that the module runs (kind.h): texts go in, steps
// run, rows come out.
#include <emscripten/bind.h>

#include <optional>
#include <string>

#include "api/model/text_job.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::TextJob;

JsText add_text(Handle job, const JsBytes& text) {
  return with<TextJob>(job, [&](TextJob& texts) -> Result<void> {
    texts.add(text_of(text));
    return {};
  });
}

JsText start_texts(Handle job) {
  return with<TextJob>(job, [](TextJob& texts) { return texts.start(); });
}

JsText step_texts(Handle job) {
  return with<TextJob>(job, [](TextJob& texts) -> Result<std::string> {
    AMBRY_TRY(const bool done, texts.step());
    const std::optional<size_t> part = texts.part();
    return concat({R"({"done":)", to_json(done), R"(,"doneTexts":)", texts.done_texts(),
                   R"(,"part":)", part ? to_json(*part) : "null", "}"});
  });
}

JsText rows_of_texts(Handle job) {
  return with<TextJob>(job, [](const TextJob& texts) {
    const auto [dim, values, counts] = texts.rows();
    return concat({R"({"dim":)", dim, R"(,"rows":)", heap_range(values.data(), values.size_bytes()),
                   R"(,"rowCounts":)", heap_range(counts.data(), counts.size_bytes()), "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_texts) {
  emscripten::function("beginTexts", &Kind::begin);
  emscripten::function("addText", &add_text);
  emscripten::function("startTexts", &start_texts);
  emscripten::function("stepTexts", &step_texts);
  emscripten::function("rowsOfTexts", &rows_of_texts);
}

}  // namespace ambry::wasm
