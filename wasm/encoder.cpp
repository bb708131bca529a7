// Running: loading an encoder, its tokenizer, embedding.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/session.h"
#include "api/source.h"
#include "api/tokenizer.h"
#include "outcome.h"
#include "text_job.h"

namespace ambry::wasm {
namespace {

using api::EmbedJob;
using api::EncoderLoader;
using api::EncoderSession;
using api::Tokenizer;

std::string begin_load(Handle source, const std::string& weights) {
  return with<api::PartialSource>(source, [&](const api::PartialSource& parts) {
    return EncoderLoader::begin(parts, weights);
  });
}

std::string finish_load(Handle loader) {
  return with<EncoderLoader>(loader, [](EncoderLoader& sink) { return sink.finish(); });
}

std::string session_tokenizer(Handle session) {
  return with<EncoderSession>(
      session, [](const EncoderSession& encoder) { return Tokenizer(encoder.tokenizer()); });
}

std::string tokenize(Handle tokenizer, const std::string& text, bool special, bool has_pair,
                     const std::string& pair) {
  return with<Tokenizer>(tokenizer, [&](const Tokenizer& words) {
    const std::string_view second = pair;
    return words.tokenize(text, has_pair ? &second : nullptr, special);
  });
}

std::string detokenize(Handle tokenizer, const std::string& ids, bool skip_special) {
  return with<Tokenizer>(tokenizer, [&](const Tokenizer& words) -> Result<std::string> {
    AMBRY_TRY(const std::string text, words.detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

std::string begin_embed(Handle session, const std::string& options) {
  return with<EncoderSession>(
      session, [&](const EncoderSession& encoder) { return encoder.begin_embed(options); });
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
}

}  // namespace ambry::wasm
