// The tokenizers of opened models.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/model/opened_model.h"
#include "api/tokenizer/token_lists.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

using api::OpenedModel;

JsText tokenize(Handle model, const JsBytes& text, bool special, bool has_pair,
                const JsBytes& pair) {
  return with<OpenedModel>(model, [&](const OpenedModel& opened) -> Result<std::string> {
    AMBRY_TRY(const text::Tokenizer* tokenizer, opened.tokenizer());
    const std::string second_text = text_of(pair);
    const std::string_view second = second_text;
    return api::tokenize(*tokenizer, text_of(text), has_pair ? &second : nullptr, special);
  });
}

JsText token_count(Handle model, const JsBytes& text, double most) {
  return with<OpenedModel>(model, [&](const OpenedModel& opened) -> Result<std::string> {
    AMBRY_TRY(const text::Tokenizer* tokenizer, opened.tokenizer());
    AMBRY_TRY(const uint64_t limit, count_of(most, "limit"));
    return api::count_tokens(*tokenizer, text_of(text), limit);
  });
}

JsText detokenize(Handle model, const std::string& ids, bool skip_special) {
  return with<OpenedModel>(model, [&](const OpenedModel& opened) -> Result<std::string> {
    AMBRY_TRY(const text::Tokenizer* tokenizer, opened.tokenizer());
    AMBRY_TRY(const std::string text, api::detokenize(*tokenizer, ids, skip_special));
    return api::quoted(text);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_tokens) {
  emscripten::function("tokenize", &tokenize);
  emscripten::function("tokenCount", &token_count);
  emscripten::function("detokenize", &detokenize);
}

}  // namespace ambry::wasm
