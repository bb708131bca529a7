// Conversion in the tab: reads asked for and writes handed out, one block at a time.
#include "api/conversion.h"

#include <emscripten/bind.h>

#include <array>
#include <memory>
#include <string>

#include "api/source.h"
#include "outcome.h"

namespace ambry::wasm {
namespace {

using api::Conversion;
using api::ConversionFiles;
using api::PartialSource;

std::string create_files() { return outcome(std::make_unique<ConversionFiles>()); }

std::string add_file(Handle files, const std::string& name, const std::string& content) {
  return with<ConversionFiles>(files, [&](ConversionFiles& side) -> Result<void> {
    side.add(name, content);
    return {};
  });
}

std::string begin_conversion(Handle source, Handle files, const std::string& options) {
  const auto* const side = find<ConversionFiles>(files);
  if (side == nullptr) return api::failure_text(*not_held());
  return with<PartialSource>(source, [&](const PartialSource& parts) {
    return api::begin_conversion(parts, *side, options);
  });
}

std::string conversion_targets(Handle source, Handle files, const std::string& options) {
  const auto* const side = find<ConversionFiles>(files);
  if (side == nullptr) return api::failure_text(*not_held());
  return with<PartialSource>(source, [&](const PartialSource& parts) {
    return api::conversion_targets(parts, *side, options);
  });
}

std::string conversion_facts(Handle conversion) {
  return with<Conversion>(conversion, [](const Conversion& going) {
    return concat({R"({"totalBytes":)", going.total_bytes(), R"(,"warnings":)",
                   api::conversion_warnings(going), "}"});
  });
}

std::string step_text(const api::ConversionStep& step) {
  using Kind = api::ConversionStep::Kind;
  static constexpr std::array<const char*, 3> kNames = {"read", "write", "done"};
  const Bytes block = step.kind == Kind::Read ? Bytes(step.target) : step.bytes;
  return concat({R"({"kind":")", kNames[static_cast<size_t>(step.kind)], R"(","offset":)",
                 step.offset, R"(,"block":)", heap_range(block.data(), block.size()), "}"});
}

std::string next_step(Handle conversion) {
  return with<Conversion>(conversion, [](Conversion& going) -> Result<std::string> {
    AMBRY_TRY(const api::ConversionStep step, going.next());
    return step_text(step);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_conversion) {
  emscripten::function("createFiles", &create_files);
  emscripten::function("addFile", &add_file);
  emscripten::function("beginConversion", &begin_conversion);
  emscripten::function("conversionTargets", &conversion_targets);
  emscripten::function("conversionFacts", &conversion_facts);
  emscripten::function("nextStep", &next_step);
}

}  // namespace ambry::wasm
