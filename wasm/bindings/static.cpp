// Static encoders: loading one, its tokenizer, embedding.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/encoder/encoder_tokenizer.h"
#include "api/loading/partial_source.h"
#include "api/static_encoder/static_session.h"
#include "bindings/text_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::StaticEmbedJob;
using api::StaticLoader;
using api::StaticSession;

JsText begin_load(Handle source, const std::string& weights) {
  return with<api::PartialSource>(
      source, [&](const api::PartialSource& parts) { return StaticLoader::begin(parts, weights); });
}

JsText finish_load(Handle loader) {
  return with<StaticLoader>(loader, [](StaticLoader& sink) { return sink.finish(); });
}

JsText tokenize(Handle session, const JsBytes& text, bool special, bool has_pair,
                const JsBytes& pair) {
  return with<StaticSession>(session, [&](const StaticSession& encoder) {
    const std::string second_text = text_of(pair);
    const std::string_view second = second_text;
    return encoder.tokenizer().tokenize(text_of(text), has_pair ? &second : nullptr, special);
  });
}

JsText detokenize(Handle session, const std::string& ids, bool skip_special) {
  return with<StaticSession>(session, [&](const StaticSession& encoder) -> Result<std::string> {
    AMBRY_TRY(const std::string text, encoder.tokenizer().detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

JsText begin_embed(Handle session, const std::string& options) {
  return with<StaticSession>(
      session, [&](const StaticSession& encoder) { return encoder.begin_embed(options); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_static) {
  emscripten::function("beginStaticLoad", &begin_load);
  emscripten::function("finishStaticLoad", &finish_load);
  emscripten::function("staticFacts", &session_facts<StaticSession>);
  emscripten::function("tokenizeStatic", &tokenize);
  emscripten::function("detokenizeStatic", &detokenize);
  emscripten::function("beginStaticEmbed", &begin_embed);
  emscripten::function("addStaticText", &add_text<StaticEmbedJob>);
  emscripten::function("startStaticEmbed", &start_texts<StaticEmbedJob>);
  emscripten::function("stepStaticEmbed", &step_texts<StaticEmbedJob>);
  emscripten::function("staticEmbedded", &rows_of_texts<StaticEmbedJob>);
}

}  // namespace ambry::wasm
