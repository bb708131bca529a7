// Looking into files: inspection, validation, tokenizers by themselves.
#include <emscripten/bind.h>

#include <string>
#include <string_view>

#include "api/inspect.h"
#include "api/source.h"
#include "api/text_tokenizer.h"
#include "api/validation.h"
#include "outcome.h"

namespace ambry::wasm {
namespace {

using api::PartialSource;
using api::TextTokenizer;
using api::Validation;

std::string inspect(Handle source, bool vocabulary) {
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return api::inspect(parts, vocabulary); });
}

std::string begin_validation(Handle source, bool strict, bool values, bool checksums,
                             bool vocabulary) {
  const api::ValidateOptions options{
      .strictness = strict ? api::Strictness::Strict : api::Strictness::Lenient,
      .values = values,
      .checksums = checksums,
      .vocabulary = vocabulary};
  return with<PartialSource>(
      source, [&](const PartialSource& parts) { return Validation::begin(parts, options); });
}

std::string finish_validation(Handle validation) {
  return with<Validation>(validation, [](Validation& sink) { return sink.finish(); });
}

std::string open_tokenizer(Handle source) {
  return with<PartialSource>(source,
                             [](const PartialSource& parts) { return TextTokenizer::open(parts); });
}

std::string tokenizer_info(Handle tokenizer) {
  return with<TextTokenizer>(tokenizer, [](const TextTokenizer& words) { return words.info(); });
}

std::string tokenize_with(Handle tokenizer, const std::string& text, bool special, bool has_pair,
                          const std::string& pair) {
  return with<TextTokenizer>(tokenizer, [&](const TextTokenizer& words) {
    const std::string_view second = pair;
    return words.tokenize(text, has_pair ? &second : nullptr, special);
  });
}

std::string detokenize_with(Handle tokenizer, const std::string& ids, bool skip_special) {
  return with<TextTokenizer>(tokenizer, [&](const TextTokenizer& words) -> Result<std::string> {
    AMBRY_TRY(const std::string text, words.detokenize(ids, skip_special));
    return api::quoted(text);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_inspection) {
  emscripten::function("formatIds", &api::format_ids);
  emscripten::function("inspect", &inspect);
  emscripten::function("beginValidation", &begin_validation);
  emscripten::function("finishValidation", &finish_validation);
  emscripten::function("openTokenizer", &open_tokenizer);
  emscripten::function("tokenizerInfo", &tokenizer_info);
  emscripten::function("tokenizeWith", &tokenize_with);
  emscripten::function("detokenizeWith", &detokenize_with);
}

}  // namespace ambry::wasm
