// Tokenizers by themselves, of any kind. Where they are opened, the tokenizers of files and of the
// targets of conversions are tried, too.
#include <emscripten/bind.h>

#include <string>

#include "api/tokenizer/stated_templates.h"
#include "api/tokenizer/tokenizer_model.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "api/tokenizer/try_tokenizer.h"
#include "bindings/kind.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

const Kind kTokenizers = kind_of<api::TokenizerModel>();

JsText tokenizer_settings(const std::string& sizes, const JsBytes& bytes) {
  return outcome(api::tokenizer_settings(sizes, text_of(bytes)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_tokenizer) {
  api::set_tokenizer_trial(api::try_tokenizer);
  emscripten::function("tokenizerSettings", &tokenizer_settings);
}

}  // namespace ambry::wasm
