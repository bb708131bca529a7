// The module's own facts.
#include <emscripten/bind.h>

#include "api/inspect.h"

EMSCRIPTEN_BINDINGS(ambry_module) {
  emscripten::function("simdFlavour", &ambry::api::simd_flavour);
}
