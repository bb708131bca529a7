// Heads that every token passes: token classification, question answering, masked language models,
// sparse encoders. And jobs that run together.
#include <emscripten/bind.h>

#include <string>

#include "api/encoder/embed_job.h"
#include "api/encoder/encoder_model.h"
#include "api/encoder/sparse_job.h"
#include "api/encoder/together.h"
#include "api/encoder/token_job.h"
#include "api/encoder/token_rows_job.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::SparseJob> = &api::SparseJob::ids;

namespace {

using api::EmbedJob;
using api::EncoderModel;
using api::SparseJob;
using api::TokenJob;
using api::TokenRowsJob;

JsText begin_token_rows(Handle model, const std::string& options) {
  return with<EncoderModel>(
      model, [&](const EncoderModel& encoder) { return TokenRowsJob::begin(encoder, options); });
}

const Kind kTokenRows("tokenRows", begin_token_rows);

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

const Kind kSparse("sparse", begin_sparse);

JsText sparse_words(Handle job) {
  return with<SparseJob>(job, [](const SparseJob& sparse) { return sparse.words(); });
}

// 0 for a job that is absent. `use` gets all of them.
template <class Use>
JsText with_jobs(Handle texts, Handle words, Handle tokens, const Use& use) {
  return with<EmbedJob>(texts, [&](EmbedJob& job) {
    return use(api::JobsTogether{job, find<SparseJob>(words), find<TokenJob>(tokens)});
  });
}

JsText start_together(Handle texts, Handle words, Handle tokens) {
  return with_jobs(texts, words, tokens, api::start_together);
}

JsText step_together(Handle texts, Handle words, Handle tokens) {
  return with_jobs(texts, words, tokens, api::step_together);
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_heads) {
  emscripten::function("tokenWindows", &token_windows);
  emscripten::function("sparseWords", &sparse_words);
  emscripten::function("startTogether", &start_together);
  emscripten::function("stepTogether", &step_together);
}

}  // namespace ambry::wasm
