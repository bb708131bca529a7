// The module's own facts.
#include <emscripten/bind.h>

#include "api/files/inspect.h"

EMSCRIPTEN_BINDINGS(ambry_module) {
  emscripten::function("simdFlavour", &ambry::api::simd_flavour);
}
