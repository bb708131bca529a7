// Files as they arrive: held parts, inspection, validation.
#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <utility>

#include "api/inspect.h"
#include "api/validation.h"
#include "error_to_js.h"
#include "handles.h"
#include "io/source.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

val insert(io::PartialSource& source, double offset, const std::string& bytes) {
  return outcome(source.insert(static_cast<uint64_t>(offset), as_bytes(bytes)));
}

val begin_validation(const io::PartialSource& source, bool strict, bool values) {
  const api::ValidateOptions options{strict ? io::Strictness::Strict : io::Strictness::Lenient,
                                     values};
  return outcome(api::Validation::begin(source, options));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_files) {
  emscripten::class_<io::PartialSource>("PartialSource")
      .constructor(+[](double size) {
        return std::make_unique<io::PartialSource>(static_cast<uint64_t>(size));
      })
      .function("insert", &insert);

  bind_sink<api::Validation>("Validation")
      .function("finish", +[](api::Validation& sink) { return sink.finish(); });

  emscripten::function(
      "inspect", +[](const io::PartialSource& source) { return outcome(api::inspect(source)); });
  emscripten::function("beginValidation", &begin_validation);
}

}  // namespace ambry::wasm
