// Looking into files: inspection and validation.
#include <emscripten/bind.h>

#include <string>

#include "api/files/inspect.h"
#include "api/files/validate/validation.h"
#include "api/loading/partial_source.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::PartialSource;
using api::Validation;

JsText format_ids() { return js_text(api::format_ids()); }

JsText inspect(Handle source, bool vocabulary) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return api::inspect(parts, vocabulary); });
}

JsText begin_validation(Handle source, bool strict, bool values, bool checksums, bool vocabulary) {
  const api::ValidateOptions options{
      .strictness = strict ? api::Strictness::Strict : api::Strictness::Lenient,
      .values = values,
      .checksums = checksums,
      .vocabulary = vocabulary};
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return Validation::begin(parts, options); });
}

JsText finish_validation(Handle validation) {
  return with<Validation>(validation, [](Validation& sink) { return sink.finish(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_inspection) {
  emscripten::function("formatIds", &format_ids);
  emscripten::function("inspect", &inspect);
  emscripten::function("beginValidation", &begin_validation);
  emscripten::function("finishValidation", &finish_validation);
}

}  // namespace ambry::wasm
