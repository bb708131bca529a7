// What only ONNX files have.
#include <emscripten/bind.h>

#include <string>

#include "api/files/onnx/onnx_graph.h"
#include "api/loading/partial_source.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::PartialSource;

JsText onnx_graph(Handle source) {
  return with<PartialSource>(source,
                             [&](const PartialSource& parts) { return api::onnx_graph(parts); });
}

JsText check_external_data(Handle source, const std::string& files) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return api::check_external_data(parts, files); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_onnx) {
  emscripten::function("onnxGraph", &onnx_graph);
  emscripten::function("checkExternalData", &check_external_data);
}

}  // namespace ambry::wasm
