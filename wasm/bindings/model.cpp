// Models of every kind that the module opens (model_kind.h): loading one, and what it says of
// itself.
#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "api/loading/partial_source.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "bindings/model_kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Loader;
using api::OpenedModel;
using api::PartialSource;

JsText begin_load(const std::string& kind, Handle source, const std::string& options) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) -> Result<std::unique_ptr<Loader>> {
        const ModelKind* const row = ModelKind::find(kind);
        if (row != nullptr) return row->load()(parts, options);
        return make_error(ErrorCode::Unsupported, "kind",
                          {"this module opens no models of the kind ", kind});
      });
}

JsText finish_load(Handle loader) {
  return with<Loader>(loader, [](Loader& sink) { return sink.finish(); });
}

JsText model_facts(Handle model) {
  return with<OpenedModel>(model, [](const OpenedModel& opened) {
    return concat({R"({"weightBytes":)", opened.weight_bytes(), R"(,"info":)", opened.info(), "}"});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_model) {
  emscripten::function("beginLoad", &begin_load);
  emscripten::function("finishLoad", &finish_load);
  emscripten::function("modelFacts", &model_facts);
}

}  // namespace ambry::wasm
