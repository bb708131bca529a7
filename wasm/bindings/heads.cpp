// Heads that every token passes: token classification, question answering, masked language models,
// sparse encoders.
#include <emscripten/bind.h>

#include <string>

#include "api/encoder/encoder_model.h"
#include "api/encoder/sparse_job.h"
#include "api/encoder/token_rows_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::EncoderModel;
using api::SparseJob;
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

JsText begin_sparse(Handle model, const std::string& options) {
  return with<EncoderModel>(
      model, [&](const EncoderModel& encoder) { return SparseJob::begin(encoder, options); });
}

JsText sparse_ids(Handle job) {
  return with<SparseJob>(job, [](const SparseJob& sparse) {
    return heap_range(sparse.ids().data(), sparse.ids().size_bytes());
  });
}

JsText sparse_words(Handle job) {
  return with<SparseJob>(job, [](const SparseJob& sparse) { return sparse.words(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_heads) {
  emscripten::function("beginTokenRows", &begin_token_rows);
  emscripten::function("addTokenPair", &add_token_pair);
  emscripten::function("tokenWindows", &token_windows);
  emscripten::function("beginSparse", &begin_sparse);
  emscripten::function("sparseIds", &sparse_ids);
  emscripten::function("sparseWords", &sparse_words);
}

}  // namespace ambry::wasm
