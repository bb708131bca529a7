// Looking into files: inspection, validation, tokenizers by themselves.
#include <emscripten/bind.h>

#include "api/inspect.h"
#include "api/source.h"
#include "api/tokenizer.h"
#include "api/validation.h"
#include "error_to_js.h"
#include "handles.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

val begin_validation(const api::PartialSource& source, bool strict, bool values) {
  const api::ValidateOptions options{strict ? api::Strictness::Strict : api::Strictness::Lenient,
                                     values};
  return outcome(api::Validation::begin(source, options));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_inspection) {
  bind_sink<api::Validation>("Validation")
      .function("finish", +[](api::Validation& sink) { return sink.finish(); });

  emscripten::function("formatIds", &api::format_ids);
  emscripten::function(
      "inspect", +[](const api::PartialSource& source) { return outcome(api::inspect(source)); });
  emscripten::function("beginValidation", &begin_validation);
  emscripten::function(
      "openTokenizer",
      +[](const api::PartialSource& source) { return outcome(api::Tokenizer::open(source)); });
}

}  // namespace ambry::wasm
