// Running: loading an encoder, its tokenizer, embedding, scoring.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/encoder/encoder_session.h"
#include "api/encoder/encoder_tokenizer.h"
#include "api/loading/partial_source.h"
#include "bindings/text_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::EmbedJob;
using api::EncoderLoader;
using api::EncoderSession;
using api::ScoreJob;
using api::Tokenizer;

JsText begin_load(Handle source, const std::string& weights) {
  return with<api::PartialSource>(source, [&](const api::PartialSource& parts) {
    return EncoderLoader::begin(parts, weights);
  });
}

JsText finish_load(Handle loader) {
  return with<EncoderLoader>(loader, [](EncoderLoader& sink) { return sink.finish(); });
}

JsText session_tokenizer(Handle session) {
  return with<EncoderSession>(
      session, [](const EncoderSession& encoder) { return Tokenizer(encoder.tokenizer()); });
}

JsText tokenize(Handle tokenizer, const JsBytes& text, bool special, bool has_pair,
                const JsBytes& pair) {
  return with<Tokenizer>(tokenizer, [&](const Tokenizer& words) {
    const std::string second_text = text_of(pair);
    const std::string_view second = second_text;
    return words.tokenize(text_of(text), has_pair ? &second : nullptr, special);
  });
}

JsText detokenize(Handle tokenizer, const std::string& ids, bool skip_special) {
  return with<Tokenizer>(tokenizer, [&](const Tokenizer& words) -> Result<std::string> {
    AMBRY_TRY(const std::string text, words.detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

JsText begin_embed(Handle session, const std::string& options) {
  return with<EncoderSession>(
      session, [&](const EncoderSession& encoder) { return encoder.begin_embed(options); });
}

JsText begin_score(Handle session, const std::string& options) {
  return with<EncoderSession>(
      session, [&](const EncoderSession& encoder) { return encoder.begin_score(options); });
}

JsText add_score_pair(Handle job, const JsBytes& first, const JsBytes& second) {
  return with<ScoreJob>(job, [&](ScoreJob& scoring) -> Result<void> {
    scoring.add_pair(text_of(first), text_of(second));
    return {};
  });
}

JsText score_logits(Handle job) {
  return with<ScoreJob>(job, [](const ScoreJob& scoring) {
    const auto values = scoring.logits();
    return heap_range(values.data(), values.size_bytes());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_encoder) {
  emscripten::function("beginLoad", &begin_load);
  emscripten::function("finishLoad", &finish_load);
  emscripten::function("sessionFacts", &session_facts<EncoderSession>);
  emscripten::function("sessionTokenizer", &session_tokenizer);
  emscripten::function("tokenize", &tokenize);
  emscripten::function("detokenize", &detokenize);
  emscripten::function("beginEmbed", &begin_embed);
  emscripten::function("addText", &add_text<EmbedJob>);
  emscripten::function("startEmbed", &start_texts<EmbedJob>);
  emscripten::function("stepEmbed", &step_texts<EmbedJob>);
  emscripten::function("embedded", &rows_of_texts<EmbedJob>);
  emscripten::function("beginScore", &begin_score);
  emscripten::function("addScoreText", &add_text<ScoreJob>);
  emscripten::function("addScorePair", &add_score_pair);
  emscripten::function("startScore", &start_texts<ScoreJob>);
  emscripten::function("stepScore", &step_texts<ScoreJob>);
  emscripten::function("scoreLogits", &score_logits);
}

}  // namespace ambry::wasm
