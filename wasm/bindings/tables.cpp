// The core's tables of formats and types, for wasm/write-tables.mjs.
#include "api/files/tables.h"

#include <emscripten/bind.h>

#include "border/js_values.h"

namespace ambry::wasm {
namespace {

JsText tables() { return js_text(api::tables()); }

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_tables) { emscripten::function("tables", &tables); }

}  // namespace ambry::wasm
