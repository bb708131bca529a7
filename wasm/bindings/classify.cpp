// Classifying: loading a network, its plan, and runs that go a layer a step.
#include <emscripten/bind.h>

#include <span>
#include <string>

#include "api/classifier/classifier_session.h"
#include "api/loading/partial_source.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::ClassifierLoader;
using api::ClassifierSession;
using api::ClassifyJob;
using api::PartialSource;

JsText begin_classifier(Handle source) {
  return with<PartialSource>(
      source, [](const PartialSource& parts) { return ClassifierLoader::begin(parts); });
}

JsText finish_classifier(Handle loader) {
  return with<ClassifierLoader>(loader, [](ClassifierLoader& sink) { return sink.finish(); });
}

JsText use_plan(Handle session, const std::string& plan) {
  return with<ClassifierSession>(
      session, [&](ClassifierSession& network) { return network.use_plan(plan); });
}

JsText begin_classify(Handle session, const std::string& options) {
  return with<ClassifierSession>(
      session, [&](const ClassifierSession& network) { return network.begin_classify(options); });
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

JsText classify_activations(Handle job) {
  return with<ClassifyJob>(job, [](const ClassifyJob& run) -> Result<std::string> {
    const std::span<const float> values = run.activation_values();
    return heap_range(values.data(), values.size_bytes());
  });
}

JsText classified(Handle job) {
  return with<ClassifyJob>(job, [](const ClassifyJob& run) { return run.result(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_classify) {
  emscripten::function("beginClassifier", &begin_classifier);
  emscripten::function("finishClassifier", &finish_classifier);
  emscripten::function("classifierFacts", &session_facts<ClassifierSession>);
  emscripten::function("usePlan", &use_plan);
  emscripten::function("beginClassify", &begin_classify);
  emscripten::function("classifyTensor", &classify_tensor);
  emscripten::function("classifyPicture", &classify_picture);
  emscripten::function("startClassify", &start_classify);
  emscripten::function("stepClassify", &step_classify);
  emscripten::function("classified", &classified);
  emscripten::function("classifyActivations", &classify_activations);
}

}  // namespace ambry::wasm
