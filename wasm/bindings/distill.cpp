// Distillation: a loaded encoder becomes the file of a static one.
#include "api/distill/distill_job.h"

#include <emscripten/bind.h>

#include <string>

#include "api/encoder/encoder_model.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::DistillJob> = &api::DistillJob::file;

namespace {

using api::DistillJob;
using api::EncoderModel;

JsText begin_distill(Handle model, const std::string& options) {
  return with<EncoderModel>(
      model, [&](const EncoderModel& encoder) { return api::begin_distill(encoder, options); });
}

JsText count_tokens(Handle job, const JsBytes& text) {
  return with<DistillJob>(job, [&](DistillJob& distilling) -> Result<void> {
    distilling.count(text_of(text));
    return {};
  });
}

JsText start_distill(Handle job) {
  return with<DistillJob>(job, [](DistillJob& distilling) { return distilling.start(); });
}

JsText step_distill(Handle job) {
  return with<DistillJob>(job, [](DistillJob& distilling) -> Result<std::string> {
    AMBRY_TRY(const bool done, distilling.step());
    return concat(
        {R"({"done":)", to_json(done), R"(,"progress":)", uint64_t{distilling.progress()}, "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_distill) {
  emscripten::function("beginDistill", &begin_distill);
  emscripten::function("countTokens", &count_tokens);
  emscripten::function("startDistill", &start_distill);
  emscripten::function("stepDistill", &step_distill);
}

}  // namespace ambry::wasm
