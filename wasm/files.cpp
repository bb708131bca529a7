// Files as they arrive.
#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "api/source.h"
#include "error_to_js.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

val insert(api::PartialSource& source, double offset, const std::string& bytes) {
  return outcome(source.insert(static_cast<uint64_t>(offset), as_bytes(bytes)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_files) {
  emscripten::class_<api::PartialSource>("PartialSource")
      .constructor(+[](double size) {
        return std::make_unique<api::PartialSource>(static_cast<uint64_t>(size));
      })
      .function("insert", &insert);
}

}  // namespace ambry::wasm
