// Models of every kind that the module opens (kind.h): loading one, and what it says of itself.
#include <emscripten/bind.h>

#include <string>
#include <string_view>
#include <utility>

#include "api/loading/partial_source.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::Loader;
using api::OpenedModel;

JsText finish_load(Handle loader) {
  return with<Loader>(loader, [](Loader& sink) { return sink.finish(); });
}

JsText model_facts(Handle model) {
  return with<OpenedModel>(model, [](const OpenedModel& opened) {
    return concat({R"({"weightBytes":)", opened.weight_bytes(), R"(,"info":)", opened.info(), "}"});
  });
}

}  // namespace

constinit const Kind* Kind::first_ = nullptr;

Kind::Kind(std::string_view name, Begin begin)
    : name_(name), begin_(begin), next_(std::exchange(first_, this)) {}

JsText Kind::begin(const std::string& name, Handle from, const std::string& options) {
  const Kind* kind = first_;
  while (kind != nullptr && kind->name_ != name) kind = kind->next_;
  if (kind != nullptr) return kind->begin_(from, options);
  return js_text(api::failure_text(
      *make_error(ErrorCode::Unsupported, "kind", {"this module has no kind ", name})));
}

JsText begin_load(Handle source, const std::string& options, api::LoadModel load) {
  return with<api::PartialSource>(
      source, [&](const api::PartialSource& parts) { return load(parts, options); });
}

EMSCRIPTEN_BINDINGS(ambry_model) {
  emscripten::function("beginLoad", &Kind::begin);
  emscripten::function("finishLoad", &finish_load);
  emscripten::function("modelFacts", &model_facts);
}

}  // namespace ambry::wasm
