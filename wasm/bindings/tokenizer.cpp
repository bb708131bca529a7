// Tokenizers by themselves, of any kind. Where they are opened, the tokenizers of files and of the
// targets of conversions are tried, too.
#include <emscripten/bind.h>

#include "api/tokenizer/tokenizer_model.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "api/tokenizer/try_tokenizer.h"
#include "bindings/model_kind.h"

namespace ambry::wasm {
namespace {

const ModelKind kTokenizers = ModelKind::of<api::TokenizerModel>();

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_tokenizer) { api::set_tokenizer_trial(api::try_tokenizer); }

}  // namespace ambry::wasm
