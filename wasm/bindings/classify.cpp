// Classifying images: the plan of a network, and runs that go a layer a step.
#include <emscripten/bind.h>

#include <span>
#include <string>

#include "api/image_classifier/image_classifier_model.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::ClassifyJob> = &api::ClassifyJob::activation_values;

namespace {

using api::ClassifyJob;
using api::ImageClassifierModel;

const Kind kImageClassifiers = kind_of<ImageClassifierModel>();

JsText use_plan(Handle model, const std::string& plan) {
  return with<ImageClassifierModel>(
      model, [&](ImageClassifierModel& network) { return network.use_plan(plan); });
}

JsText begin_classify(Handle model, const std::string& options) {
  return with<ImageClassifierModel>(
      model, [&](const ImageClassifierModel& network) { return network.begin_classify(options); });
}

JsText classify_tensor(Handle job, double numbers) {
  return with<ClassifyJob>(job, [&](ClassifyJob& run) -> Result<std::string> {
    AMBRY_TRY(const uint64_t count, count_of(numbers, "input"));
    AMBRY_TRY(const std::span<float> room, run.tensor(count));
    return heap_range(room.data(), room.size_bytes());
  });
}

JsText classify_picture(Handle job, double width, double height) {
  return with<ClassifyJob>(job, [&](ClassifyJob& run) -> Result<std::string> {
    AMBRY_TRY(const uint64_t columns, count_of(width, "picture"));
    AMBRY_TRY(const uint64_t rows, count_of(height, "picture"));
    AMBRY_TRY(const MutableBytes room, run.picture(columns, rows));
    return heap_range(room.data(), room.size());
  });
}

JsText start_classify(Handle job) {
  return with<ClassifyJob>(job, [](ClassifyJob& run) -> Result<std::string> {
    AMBRY_RETURN_IF_ERROR(run.start());
    return run.layers();
  });
}

JsText step_classify(Handle job) {
  return with<ClassifyJob>(job, [](ClassifyJob& run) { return run.step(); });
}

JsText classified(Handle job) {
  return with<ClassifyJob>(job, [](const ClassifyJob& run) { return run.result(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_classify) {
  emscripten::function("usePlan", &use_plan);
  emscripten::function("beginClassify", &begin_classify);
  emscripten::function("classifyTensor", &classify_tensor);
  emscripten::function("classifyPicture", &classify_picture);
  emscripten::function("startClassify", &start_classify);
  emscripten::function("stepClassify", &step_classify);
  emscripten::function("classified", &classified);
}

}  // namespace ambry::wasm
