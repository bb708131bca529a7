// The core's tables of formats and types, for wasm/tables.mjs.
#include "api/files/tables.h"

#include <emscripten/bind.h>

EMSCRIPTEN_BINDINGS(ambry_tables) { emscripten::function("tables", &ambry::api::tables); }
