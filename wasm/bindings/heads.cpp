// Heads that every token passes: token classification, question answering, masked language models.
#include <emscripten/bind.h>

#include <string>

#include "api/encoder/encoder_model.h"
#include "api/encoder/token_rows_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::EncoderModel;
using api::TokenRowsJob;

JsText begin_token_rows(Handle model, const std::string& options) {
  return with<EncoderModel>(
      model, [&](const EncoderModel& encoder) { return TokenRowsJob::begin(encoder, options); });
}

JsText add_token_pair(Handle job, const JsBytes& first, const JsBytes& second) {
  return with<TokenRowsJob>(job, [&](TokenRowsJob& rows) -> Result<void> {
    rows.add_pair(text_of(first), text_of(second));
    return {};
  });
}

JsText token_windows(Handle job) {
  const auto range_of = [](auto values) { return heap_range(values.data(), values.size_bytes()); };
  return with<TokenRowsJob>(job, [&](const TokenRowsJob& rows) {
    return concat({R"({"inputs":)", range_of(rows.window_inputs()), R"(,"counts":)",
                   range_of(rows.window_lengths()), R"(,"tokens":)", range_of(rows.window_tokens()),
                   "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_heads) {
  emscripten::function("beginTokenRows", &begin_token_rows);
  emscripten::function("addTokenPair", &add_token_pair);
  emscripten::function("tokenWindows", &token_windows);
}

}  // namespace ambry::wasm
