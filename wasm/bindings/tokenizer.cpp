// Tokenizers by themselves, of any kind.
#include "api/tokenizer/text_tokenizer.h"

#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/call/outcome.h"
#include "api/loading/partial_source.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "api/tokenizer/try_tokenizer.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::PartialSource;
using api::TextTokenizer;

JsText open_tokenizer(Handle source) {
  return with<PartialSource>(source,
                             [](const PartialSource& parts) { return TextTokenizer::open(parts); });
}

JsText open_vocabulary(Handle source, bool lowercase) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return TextTokenizer::open(parts, lowercase); });
}

JsText tokenizer_info(Handle tokenizer) {
  return with<TextTokenizer>(tokenizer, [](const TextTokenizer& words) { return words.info(); });
}

JsText tokenize_with(Handle tokenizer, const JsBytes& text, bool special, bool has_pair,
                     const JsBytes& pair) {
  return with<TextTokenizer>(tokenizer, [&](const TextTokenizer& words) {
    const std::string second_text = text_of(pair);
    const std::string_view second = second_text;
    return words.tokenize(text_of(text), has_pair ? &second : nullptr, special);
  });
}

JsText detokenize_with(Handle tokenizer, const std::string& ids, bool skip_special) {
  return with<TextTokenizer>(tokenizer, [&](const TextTokenizer& words) -> Result<std::string> {
    AMBRY_TRY(const std::string text, words.detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_tokenizer) {
  // Where there are tokenizers, those of files and of the targets of conversions are tried.
  api::set_tokenizer_trial(api::try_tokenizer);
  emscripten::function("openTokenizer", &open_tokenizer);
  emscripten::function("openVocabulary", &open_vocabulary);
  emscripten::function("tokenizerInfo", &tokenizer_info);
  emscripten::function("tokenizeWith", &tokenize_with);
  emscripten::function("detokenizeWith", &detokenize_with);
}

}  // namespace ambry::wasm
