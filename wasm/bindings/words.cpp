// Word vectors: lookups, queries, and jobs over many questions or texts.
#include <emscripten/bind.h>

#include <string>

#include "api/words/accuracy_job.h"
#include "api/words/sentence_job.h"
#include "api/words/words_model.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::AccuracyJob;
using api::SentenceJob;
using api::WordBatch;
using api::WordsModel;

const Kind kWords = kind_of<WordsModel>();

JsText word_vectors(Handle model, const std::string& list, bool unnormalized) {
  return with<WordsModel>(
      model, [&](const WordsModel& words) { return words.vectors(list, unnormalized); });
}

JsText word_batch(Handle batch) {
  return with<WordBatch>(batch, [](const WordBatch& made) {
    const auto rows = made.rows();
    return concat({R"({"rows":)", heap_range(rows.data(), rows.size_bytes()), R"(,"norms":)",
                   heap_range(made.norms.data(), made.norms.size() * sizeof(float)), R"(,"found":)",
                   heap_range(made.found.data(), made.found.size()), "}"});
  });
}

JsText explain_word(Handle model, const JsBytes& word) {
  return with<WordsModel>(model,
                          [&](const WordsModel& words) { return words.explain(text_of(word)); });
}

JsText similar_words(Handle model, const JsBytes& word, const std::string& options) {
  return with<WordsModel>(
      model, [&](const WordsModel& words) { return words.similar(text_of(word), options); });
}

JsText words_similar_to(Handle model, const JsBytes& vector, const std::string& options) {
  return with<WordsModel>(
      model, [&](const WordsModel& words) { return words.similar_to(floats_of(vector), options); });
}

JsText analogy(Handle model, const JsBytes& a, const JsBytes& b, const JsBytes& c,
               const std::string& options) {
  return with<WordsModel>(model, [&](const WordsModel& words) {
    return words.analogy(text_of(a), text_of(b), text_of(c), options);
  });
}

JsText list_words(Handle model, double offset, double limit) {
  return with<WordsModel>(model, [&](const WordsModel& words) {
    return words.list(static_cast<uint64_t>(offset), static_cast<uint64_t>(limit));
  });
}

JsText missing_rows(Handle model, const std::string& list) {
  return with<WordsModel>(model, [&](const WordsModel& words) { return words.missing(list); });
}

JsText supply_rows(Handle model, double offset, const JsBytes& bytes) {
  return with<WordsModel>(model, [&](const WordsModel& words) {
    return words.supply(static_cast<uint64_t>(offset), as_bytes(text_of(bytes)));
  });
}

JsText begin_codes(Handle model) {
  return with<WordsModel>(model, [](const WordsModel& words) { return words.begin_codes(); });
}

JsText begin_accuracy(Handle model) {
  return with<WordsModel>(
      model, [](const WordsModel& words) { return AccuracyJob(words.shared_vectors()); });
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

JsText begin_sentences(Handle model, const std::string& options) {
  return with<WordsModel>(model, [&](const WordsModel& words) {
    return SentenceJob::begin(words.shared_vectors(), options);
  });
}

const Kind kSentences("sentences", begin_sentences);

JsText missing_of_sentences(Handle job) {
  return with<SentenceJob>(job, [](const SentenceJob& embedding) { return embedding.missing(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_words) {
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
  emscripten::function("missingOfSentences", &missing_of_sentences);
}

}  // namespace ambry::wasm
