// Running: loading an encoder, its tokenizer, embedding.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/session.h"
#include "api/source.h"
#include "api/tokenizer.h"
#include "outcome.h"

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

std::string session_facts(Handle session) {
  return with<EncoderSession>(session, [](const EncoderSession& encoder) {
    return concat(
        {R"({"weightBytes":)", encoder.weight_bytes(), R"(,"info":)", encoder.info(), "}"});
  });
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

std::string add_text(Handle job, const std::string& text) {
  return with<EmbedJob>(job, [&](EmbedJob& embedding) -> Result<void> {
    embedding.add(text);
    return {};
  });
}

std::string start_embed(Handle job) {
  return with<EmbedJob>(job, [](EmbedJob& embedding) { return embedding.start(); });
}

std::string step_embed(Handle job) {
  return with<EmbedJob>(job, [](EmbedJob& embedding) -> Result<std::string> {
    AMBRY_TRY(const bool done, embedding.step());
    return concat({R"({"done":)", to_json(done), R"(,"doneTexts":)", embedding.done_texts(), "}"});
  });
}

std::string embedded(Handle job) {
  return with<EmbedJob>(job, [](const EmbedJob& embedding) {
    const auto rows = embedding.result();
    const auto counts = embedding.row_counts();
    return concat({R"({"dim":)", embedding.dim(), R"(,"rows":)",
                   heap_range(rows.data(), rows.size_bytes()), R"(,"rowCounts":)",
                   heap_range(counts.data(), counts.size_bytes()), "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_encoder) {
  emscripten::function("beginLoad", &begin_load);
  emscripten::function("finishLoad", &finish_load);
  emscripten::function("sessionFacts", &session_facts);
  emscripten::function("sessionTokenizer", &session_tokenizer);
  emscripten::function("tokenize", &tokenize);
  emscripten::function("detokenize", &detokenize);
  emscripten::function("beginEmbed", &begin_embed);
  emscripten::function("addText", &add_text);
  emscripten::function("startEmbed", &start_embed);
  emscripten::function("stepEmbed", &step_embed);
  emscripten::function("embedded", &embedded);
}

}  // namespace ambry::wasm
