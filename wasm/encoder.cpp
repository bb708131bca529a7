// Running: loading an encoder, its tokenizer, embedding.
#include <emscripten/bind.h>

#include <string>
#include <string_view>
#include <utility>

#include "api/session.h"
#include "api/source.h"
#include "api/tokenizer.h"
#include "error_to_js.h"
#include "handles.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

val tokenize(const api::Tokenizer& tokenizer, const std::string& text, bool special, bool has_pair,
             const std::string& pair) {
  const std::string_view second = pair;
  return success(val(tokenizer.tokenize(text, has_pair ? &second : nullptr, special)));
}

val begin_load(const api::PartialSource& source, const std::string& weights) {
  return outcome(api::EncoderLoader::begin(source, weights));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_encoder) {
  emscripten::class_<api::Tokenizer>("Tokenizer")
      .function("info", &api::Tokenizer::info)
      .function("tokenize", &tokenize)
      .function(
          "detokenize",
          +[](const api::Tokenizer& tokenizer, const std::string& ids, bool skip_special) {
            return outcome(tokenizer.detokenize(ids, skip_special));
          });

  emscripten::class_<api::EncoderSession>("EncoderSession")
      .function("info", &api::EncoderSession::info)
      .function(
          "weightBytes",
          +[](const api::EncoderSession& session) {
            return static_cast<double>(session.weight_bytes());
          })
      .function(
          "tokenizer", +[](const api::EncoderSession& session) { return session.tokenizer(); })
      .function(
          "beginEmbed", +[](const api::EncoderSession& session, const std::string& options) {
            return outcome(session.begin_embed(options));
          });

  emscripten::class_<api::EmbedJob>("EmbedJob")
      .function(
          "add", +[](api::EmbedJob& job, const std::string& text) { job.add(text); })
      .function(
          "start", +[](api::EmbedJob& job) { return outcome(job.start()); })
      .function(
          "step", +[](api::EmbedJob& job) { return outcome(job.step()); })
      .function(
          "doneTexts",
          +[](const api::EmbedJob& job) { return static_cast<double>(job.done_texts()); })
      .function("dim", &api::EmbedJob::dim)
      .function(
          "result",
          +[](const api::EmbedJob& job) {
            return heap_range(job.result().data(), job.result().size_bytes());
          })
      .function(
          "rowCounts", +[](const api::EmbedJob& job) {
            return heap_range(job.row_counts().data(), job.row_counts().size_bytes());
          });

  bind_sink<api::EncoderLoader>("EncoderLoader")
      .function("finish", +[](api::EncoderLoader& sink) { return outcome(sink.finish()); });

  emscripten::function("beginLoad", &begin_load);
}

}  // namespace ambry::wasm
