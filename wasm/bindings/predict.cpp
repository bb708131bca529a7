// Classifying texts: loading a classifier, and jobs over many texts.
#include <emscripten/bind.h>

#include <string>

#include "api/loading/partial_source.h"
#include "api/text_classifier/text_classifier_session.h"
#include "bindings/text_job.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::PartialSource;
using api::PredictJob;
using api::TextClassifierLoader;
using api::TextClassifierSession;

JsText begin_text_classifier(Handle source) {
  return with<PartialSource>(
      source, [](const PartialSource& parts) { return TextClassifierLoader::begin(parts); });
}

JsText finish_text_classifier(Handle loader) {
  return with<TextClassifierLoader>(loader,
                                    [](TextClassifierLoader& sink) { return sink.finish(); });
}

JsText begin_predict(Handle session, const std::string& options) {
  return with<TextClassifierSession>(session, [&](const TextClassifierSession& classifier) {
    return classifier.begin_predict(options);
  });
}

JsText predictions(Handle job) {
  return with<PredictJob>(job, [](const PredictJob& predicting) {
    const auto counts = predicting.counts();
    const auto labels = predicting.labels();
    const auto probabilities = predicting.probabilities();
    return concat({R"({"counts":)", heap_range(counts.data(), counts.size_bytes()), R"(,"labels":)",
                   heap_range(labels.data(), labels.size_bytes()), R"(,"probabilities":)",
                   heap_range(probabilities.data(), probabilities.size_bytes()), "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_predict) {
  emscripten::function("beginTextClassifier", &begin_text_classifier);
  emscripten::function("finishTextClassifier", &finish_text_classifier);
  emscripten::function("textClassifierFacts", &session_facts<TextClassifierSession>);
  emscripten::function("beginPredict", &begin_predict);
  emscripten::function("addPredictText", &add_text<PredictJob>);
  emscripten::function("stepPredict", &step_texts<PredictJob>);
  emscripten::function("predictions", &predictions);
}

}  // namespace ambry::wasm
