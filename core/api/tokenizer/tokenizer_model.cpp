#include "api/tokenizer/tokenizer_model.h"

#include <utility>

#include "api/call/documents.h"
#include "api/call/options.h"
#include "api/tokenizer/json_tokenizer.h"
#include "formats/foreign_text.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/letter_case.h"
#include "text/make_tokenizer.h"

namespace ambry::api {
namespace {

using io::Json;
using model::TokenizerData;
namespace huggingface = formats::huggingface;

// Recognizes a file without a model format by its start: a JSON object, a SentencePiece message
// whose first field is a piece, or lines of tokens.
Result<TokenizerData> parse_bare(const io::Source& source, Failure not_recognised) {
  AMBRY_TRY(const Bytes bytes, source.view(0, source.size(), "tokenizer"));
  const std::string_view text = as_text(bytes);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return not_recognised;
  if (text[first] == '{') return parse_json_tokenizer(text);
  constexpr char kFirstField = '\x0A';
  if (text[0] == kFirstField) {
    auto pieces = model::sentencepiece_tokenizer(bytes, 0, "tokenizer.model");
    if (pieces) return pieces;
  }
  if (formats::is_tiktoken(text)) return not_recognised;
  auto vocabulary = huggingface::parse_vocab_txt(text);
  // For other binary files, name their likely kind instead of their first invalid byte.
  if (!vocabulary) return not_recognised;
  return vocabulary;
}

Result<TokenizerData> parse_tokenizer(const io::Source& source) {
  auto format = formats::recognise(source);
  if (!format) {
    if (format.error().code == ErrorCode::NeedBytes) return format.take_error();
    return parse_bare(source, format.take_error());
  }
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, (*format)->parse(source, diagnostics, {}));
  if (!model.tokenizer) {
    return make_error(ErrorCode::NotFound, "tokenizer",
                      {"this ", model.format, " file has no vocabulary"});
  }
  AMBRY_RETURN_IF_ERROR(resolve_custom_tokenizer(model));
  return std::move(*model.tokenizer);
}

}  // namespace

Result<TokenizerModel> TokenizerModel::open(const io::Source& source,
                                            std::optional<bool> lowercase) {
  AMBRY_TRY(TokenizerData data, parse_tokenizer(source));
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(lowercase, "lowercase", data));
  Json info = tokenizer_info(data);
  if (data.lowercase_assumed) {
    Json warnings = Json::array();
    warnings.append(problem(*model::assumed_uncased("vocab.txt")));
    info.set("warnings", std::move(warnings));
  }
  AMBRY_TRY(auto tokenizer, text::make_tokenizer(std::move(data)));
  return TokenizerModel(info.dump(), std::move(tokenizer));
}

Result<std::unique_ptr<Loader>> TokenizerModel::load(const io::Source& source,
                                                     std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  const Json* given = json.find("lowercase");
  std::optional<bool> lowercase;
  if (given != nullptr && !given->is_null()) {
    AMBRY_TRY(lowercase, read_bool(json, "lowercase", false));
  }
  AMBRY_TRY(TokenizerModel opened, open(source, lowercase));
  return std::unique_ptr<Loader>(
      new FinishedLoader(std::make_unique<TokenizerModel>(std::move(opened))));
}

}  // namespace ambry::api
