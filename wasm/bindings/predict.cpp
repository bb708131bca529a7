// Classifying texts: jobs over many texts.
#include <string>

#include "api/text_classifier/predict_job.h"
#include "api/text_classifier/text_classifier_model.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::PredictJob> = &api::PredictJob::labels;

namespace {

using api::PredictJob;
using api::TextClassifierModel;

const Kind kTextClassifiers = kind_of<TextClassifierModel>();

JsText begin_predict(Handle model, const std::string& options) {
  return with<TextClassifierModel>(model, [&](const TextClassifierModel& classifier) {
    return PredictJob::begin(classifier.classifier(), options);
  });
}

const Kind kPredict("predict", begin_predict);

}  // namespace

}  // namespace ambry::wasm
