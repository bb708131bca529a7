// What quantizing learns from a decoder at work: what its layers are given over texts. The module
// that converts reads the result (readActivations).
#include <emscripten/bind.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/decoder/generator_model.h"
#include "api/decoder/pass_jobs.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

using SavedActivations = std::vector<uint8_t>;
template <>
constexpr auto kRangeOf<SavedActivations> =
    [](const SavedActivations& bytes) { return std::span(bytes); };

namespace {

using api::ActivationJob;
using api::GeneratorModel;

JsText begin_activations(Handle model, const std::string& options) {
  return with<GeneratorModel>(model, [&](const GeneratorModel& opened) {
    return api::begin_activations(opened.generator(), options);
  });
}

JsText finish_activations(Handle job) {
  return with<ActivationJob>(job, [](const ActivationJob& done) -> Result<SavedActivations> {
    AMBRY_TRY(const model::DecoderActivations seen, done.work().activations());
    return seen.saved();
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_activations) {
  emscripten::function("beginActivations", &begin_activations);
  emscripten::function("finishActivations", &finish_activations);
}

}  // namespace ambry::wasm
