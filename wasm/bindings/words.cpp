// Word vectors: loading them or only what leads to their rows, lookups, queries, and jobs over many
// questions or texts.
#include <emscripten/bind.h>

#include <string>

#include "api/loading/partial_source.h"
#include "api/words/words_loader.h"
#include "api/words/words_session.h"
#include "bindings/text_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::AccuracyJob;
using api::PartialSource;
using api::SentenceJob;
using api::WordBatch;
using api::WordsLoader;
using api::WordsSession;

JsText begin_words(Handle source) {
  return with<PartialSource>(source,
                             [](const PartialSource& parts) { return WordsLoader::begin(parts); });
}

JsText finish_words(Handle loader) {
  return with<WordsLoader>(loader, [](WordsLoader& sink) { return sink.finish(); });
}

JsText open_ranged(Handle source) {
  return with<PartialSource>(
      source, [](const PartialSource& parts) { return WordsSession::open_ranged(parts); });
}

JsText word_vectors(Handle session, const std::string& list, bool unnormalized) {
  return with<WordsSession>(
      session, [&](const WordsSession& words) { return words.vectors(list, unnormalized); });
}

JsText word_batch(Handle batch) {
  return with<WordBatch>(batch, [](const WordBatch& made) {
    const auto rows = made.rows();
    return concat({R"({"rows":)", heap_range(rows.data(), rows.size_bytes()), R"(,"norms":)",
                   heap_range(made.norms.data(), made.norms.size() * sizeof(float)), R"(,"found":)",
                   heap_range(made.found.data(), made.found.size()), "}"});
  });
}

JsText explain_word(Handle session, const JsBytes& word) {
  return with<WordsSession>(
      session, [&](const WordsSession& words) { return words.explain(text_of(word)); });
}

JsText similar_words(Handle session, const JsBytes& word, const std::string& options) {
  return with<WordsSession>(
      session, [&](const WordsSession& words) { return words.similar(text_of(word), options); });
}

JsText words_similar_to(Handle session, const JsBytes& vector, const std::string& options) {
  return with<WordsSession>(session, [&](const WordsSession& words) {
    return words.similar_to(floats_of(vector), options);
  });
}

JsText analogy(Handle session, const JsBytes& a, const JsBytes& b, const JsBytes& c,
               const std::string& options) {
  return with<WordsSession>(session, [&](const WordsSession& words) {
    return words.analogy(text_of(a), text_of(b), text_of(c), options);
  });
}

JsText list_words(Handle session, double offset, double limit) {
  return with<WordsSession>(session, [&](const WordsSession& words) {
    return words.list(static_cast<uint64_t>(offset), static_cast<uint64_t>(limit));
  });
}

JsText missing_rows(Handle session, const std::string& list) {
  return with<WordsSession>(session,
                            [&](const WordsSession& words) { return words.missing(list); });
}

JsText supply_rows(Handle session, double offset, const JsBytes& bytes) {
  return with<WordsSession>(session, [&](const WordsSession& words) {
    return words.supply(static_cast<uint64_t>(offset), as_bytes(text_of(bytes)));
  });
}

JsText begin_codes(Handle session) {
  return with<WordsSession>(session, [](const WordsSession& words) { return words.begin_codes(); });
}

JsText begin_accuracy(Handle session) {
  return with<WordsSession>(session,
                            [](const WordsSession& words) { return words.begin_accuracy(); });
}

JsText add_questions(Handle job, const JsBytes& text) {
  return with<AccuracyJob>(
      job, [&](AccuracyJob& asking) { return asking.add_questions(text_of(text)); });
}

JsText step_accuracy(Handle job) {
  return with<AccuracyJob>(job, [](AccuracyJob& asking) -> Result<std::string> {
    AMBRY_TRY(const bool done, asking.step());
    return concat({R"({"done":)", to_json(done), R"(,"asked":)", asking.done(), R"(,"total":)",
                   asking.total(), "}"});
  });
}

JsText accuracy_report(Handle job) {
  return with<AccuracyJob>(job, [](const AccuracyJob& asking) { return asking.report(); });
}

JsText begin_sentences(Handle session, const std::string& options) {
  return with<WordsSession>(
      session, [&](const WordsSession& words) { return words.begin_sentences(options); });
}

JsText missing_of_sentences(Handle job) {
  return with<SentenceJob>(job, [](const SentenceJob& embedding) { return embedding.missing(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_words) {
  emscripten::function("beginWords", &begin_words);
  emscripten::function("finishWords", &finish_words);
  emscripten::function("openRanged", &open_ranged);
  emscripten::function("wordsFacts", &session_facts<WordsSession>);
  emscripten::function("wordVectors", &word_vectors);
  emscripten::function("wordBatch", &word_batch);
  emscripten::function("explainWord", &explain_word);
  emscripten::function("similarWords", &similar_words);
  emscripten::function("wordsSimilarTo", &words_similar_to);
  emscripten::function("analogy", &analogy);
  emscripten::function("listWords", &list_words);
  emscripten::function("missingRows", &missing_rows);
  emscripten::function("supplyRows", &supply_rows);
  emscripten::function("beginCodes", &begin_codes);
  emscripten::function("beginAccuracy", &begin_accuracy);
  emscripten::function("addQuestions", &add_questions);
  emscripten::function("stepAccuracy", &step_accuracy);
  emscripten::function("accuracyReport", &accuracy_report);
  emscripten::function("beginSentences", &begin_sentences);
  emscripten::function("addSentence", &add_text<SentenceJob>);
  emscripten::function("startSentences", &start_texts<SentenceJob>);
  emscripten::function("missingOfSentences", &missing_of_sentences);
  emscripten::function("stepSentences", &step_texts<SentenceJob>);
  emscripten::function("sentences", &rows_of_texts<SentenceJob>);
}

}  // namespace ambry::wasm
