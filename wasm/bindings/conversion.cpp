// Conversion in the tab: reads asked for and writes handed out, one block at a time.
#include "api/files/convert/conversion.h"

#include <emscripten/bind.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/files/convert/conversion_report.h"
#include "api/loading/partial_source.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Conversion;
using api::PartialSource;

// What JavaScript has handed over so far.
struct ConversionFiles {
  struct Weights {
    std::string name;
    Handle parts;
  };
  std::vector<Weights> weights;
  api::SideFiles side;
  bool asked = false;  // whether the last call wants bytes
};

JsText create_files() { return outcome(std::make_unique<ConversionFiles>()); }

JsText add_file(Handle files, const std::string& name, const JsBytes& content) {
  return with<ConversionFiles>(files, [&](ConversionFiles& given) -> Result<void> {
    given.side.add(name, text_of(content));
    return {};
  });
}

JsText add_weights(Handle files, const std::string& name, Handle parts) {
  return with<ConversionFiles>(files, [&](ConversionFiles& given) -> Result<void> {
    given.weights.push_back({name, parts});
    return {};
  });
}

// Calls `use` with the files as sources.
template <class Use>
auto with_sources(ConversionFiles& files, const Use& use)
    -> decltype(use(std::declval<const api::SourceFiles&>())) {
  std::optional<api::SourceFiles> sources;
  for (const auto& [name, parts] : files.weights) {
    const auto* const source = find<PartialSource>(parts);
    if (source == nullptr) return not_held();
    if (sources) {
      sources->add(name, *source);
    } else {
      sources.emplace(*source, files.side).name_main(name);
    }
  }
  if (!sources) return not_held();
  // The directory is fine. It is not parsed again for each part of the weights that is missing.
  if (files.asked) AMBRY_RETURN_IF_ERROR(api::load_outline(*sources));
  auto result = use(*sources);
  files.asked = !result && result.error().code == ErrorCode::NeedBytes;
  return result;
}

// What finish_activations() of the module that runs the model made.
JsText read_activations(const JsBytes& bytes) {
  const std::string saved = text_of(bytes);
  auto read = model::DecoderActivations::restored(
      {reinterpret_cast<const uint8_t*>(saved.data()), saved.size()});
  if (!read) return js_text(api::failure_text(read.error()));
  return outcome(std::make_shared<const model::DecoderActivations>(std::move(read).value()));
}

// A file of llama-imatrix.
JsText read_importance(const JsBytes& bytes) {
  const std::string file = text_of(bytes);
  auto read = api::read_importance({reinterpret_cast<const uint8_t*>(file.data()), file.size()});
  if (!read) return js_text(api::failure_text(read.error()));
  return outcome(std::move(read).value());
}

// `activations` may be 0, which is never a handle.
JsText begin_conversion(Handle files, const std::string& options, Handle activations) {
  const auto* const seen = find<api::Activations>(activations);
  if (seen == nullptr && activations != 0) return js_text(api::failure_text(*not_held()));
  return with<ConversionFiles>(files, [&](ConversionFiles& given) {
    return with_sources(given, [&](const api::SourceFiles& sources) {
      return api::begin_conversion(sources, options, seen == nullptr ? nullptr : *seen);
    });
  });
}

JsText conversion_targets(Handle files, const std::string& options) {
  return with<ConversionFiles>(files, [&](ConversionFiles& given) {
    return with_sources(given, [&](const api::SourceFiles& sources) {
      return api::conversion_targets(sources, options);
    });
  });
}

JsText conversion_run(Handle files, const std::string& options) {
  return with<ConversionFiles>(files, [&](ConversionFiles& given) {
    return with_sources(given, [&](const api::SourceFiles& sources) {
      return api::conversion_run(sources, options);
    });
  });
}

JsText conversion_to_run(Handle files, const std::string& kind) {
  return with<ConversionFiles>(files, [&](ConversionFiles& given) {
    return with_sources(given, [&](const api::SourceFiles& sources) {
      return api::conversion_to_run(sources, kind);
    });
  });
}

JsText conversion_facts(Handle conversion) {
  return with<Conversion>(conversion, [](const Conversion& going) {
    return concat({R"({"from":")", going.from(), R"(","totalBytes":)", going.total_bytes(),
                   R"(,"bytesToMeasure":)", going.bytes_to_measure(), R"(,"warnings":)",
                   api::conversion_warnings(going), "}"});
  });
}

JsText conversion_report(Handle conversion) {
  return with<Conversion>(conversion, [](const Conversion& going) {
    return api::conversion_report(going.report()).dump();
  });
}

std::string step_text(const api::ConversionStep& step) {
  using Kind = api::ConversionStep::Kind;
  static constexpr std::array<const char*, 4> kNames = {"read", "write", "work", "done"};
  const Bytes block = step.kind == Kind::Read ? Bytes(step.target) : step.bytes;
  return concat({R"({"kind":")", kNames[static_cast<size_t>(step.kind)], R"(","file":)", step.file,
                 R"(,"offset":)", step.offset, R"(,"block":)",
                 heap_range(block.data(), block.size()), "}"});
}

JsText next_step(Handle conversion) {
  return with<Conversion>(conversion, [](Conversion& going) -> Result<std::string> {
    AMBRY_TRY(const api::ConversionStep step, going.next());
    return step_text(step);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_conversion) {
  emscripten::function("createFiles", &create_files);
  emscripten::function("addFile", &add_file);
  emscripten::function("addWeights", &add_weights);
  emscripten::function("readActivations", &read_activations);
  emscripten::function("readImportance", &read_importance);
  emscripten::function("beginConversion", &begin_conversion);
  emscripten::function("conversionTargets", &conversion_targets);
  emscripten::function("conversionRun", &conversion_run);
  emscripten::function("conversionToRun", &conversion_to_run);
  emscripten::function("conversionFacts", &conversion_facts);
  emscripten::function("conversionReport", &conversion_report);
  emscripten::function("nextStep", &next_step);
}

}  // namespace ambry::wasm
