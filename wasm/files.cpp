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
      .constructor(+[](double size, bool streams_by) {
        const bool known = size >= 0;
        return std::make_unique<api::PartialSource>(
            known ? static_cast<uint64_t>(size) : api::PartialSource::kUnknownSize, streams_by);
      })
      .function("insert", &insert)
      .function(
          "endsAt", +[](api::PartialSource& source, double size) {
            source.ends_at(static_cast<uint64_t>(size));
          });
}

}  // namespace ambry::wasm
