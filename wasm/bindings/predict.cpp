// Classifying texts: jobs over many texts.
#include <emscripten/bind.h>

#include <string>

#include "api/text_classifier/predict_job.h"
#include "api/text_classifier/text_classifier_model.h"
#include "bindings/model_kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::PredictJob> = &api::PredictJob::labels;

namespace {

using api::PredictJob;
using api::TextClassifierModel;

const ModelKind kTextClassifiers = ModelKind::of<TextClassifierModel>();

JsText begin_predict(Handle model, const std::string& options) {
  return with<TextClassifierModel>(model, [&](const TextClassifierModel& classifier) {
    return PredictJob::begin(classifier.classifier(), options);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_predict) { emscripten::function("beginPredict", &begin_predict); }

}  // namespace ambry::wasm
