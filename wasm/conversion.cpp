// Conversion in the tab: reads asked for and writes handed out, one block at a time.
#include "api/conversion.h"

#include <emscripten/bind.h>

#include <array>
#include <string>
#include <utility>

#include "api/source.h"
#include "error_to_js.h"
#include "handles.h"

namespace ambry::wasm {
namespace {

using emscripten::val;

val step_to_js(const api::ConversionStep& step) {
  using Kind = api::ConversionStep::Kind;
  static constexpr std::array<const char*, 3> kNames = {"read", "write", "done"};
  val document = step.kind == Kind::Read ? heap_range(step.target.data(), step.target.size())
                                         : heap_range(step.bytes.data(), step.bytes.size());
  document.set("kind", val(kNames[static_cast<size_t>(step.kind)]));
  document.set("offset", static_cast<double>(step.offset));
  return document;
}

val next(api::Conversion& conversion) {
  const auto step = conversion.next();
  if (!step) return failure(step.error());
  return success(step_to_js(*step));
}

val begin_conversion(const api::PartialSource& source, const api::ConversionFiles& files,
                     const std::string& options) {
  return outcome(api::begin_conversion(source, files, options));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_conversion) {
  emscripten::class_<api::ConversionFiles>("ConversionFiles")
      .constructor<>()
      .function(
          "add", +[](api::ConversionFiles& files, const std::string& name,
                     const std::string& content) { files.add(name, content); });

  emscripten::class_<api::Conversion>("Conversion")
      .function(
          "totalBytes",
          +[](const api::Conversion& conversion) {
            return static_cast<double>(conversion.total_bytes());
          })
      .function("warnings", &api::conversion_warnings)
      .function("next", &next);

  emscripten::function("beginConversion", &begin_conversion);
}

}  // namespace ambry::wasm
