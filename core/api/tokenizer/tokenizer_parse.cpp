#include "api/tokenizer/tokenizer_parse.h"

#include <string_view>
#include <utility>

#include "api/tokenizer/chat_template.h"
#include "api/tokenizer/json_tokenizer.h"
#include "base/bytes.h"
#include "formats/foreign_text.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "formats/registry.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/files/tekken_file.h"
#include "model/tokenizer/files/tiktoken_file.h"
#include "model/tokenizer/letter_case.h"

namespace ambry::api {
namespace {

using io::Json;
using model::TiktokenEncoding;
namespace huggingface = formats::huggingface;

Result<ParsedTokenizer> parse_json_file(std::string_view text) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, "tokenizer.json"));
  ParsedTokenizer parsed;
  if (model::is_tekken(root)) {
    AMBRY_TRY(parsed.data, model::parse_tekken(root));
  } else {
    AMBRY_TRY(parsed.data, parse_json_tokenizer(root, text));
  }
  return parsed;
}

Result<ParsedTokenizer> parse_tiktoken_file(std::string_view text, const Json& asked) {
  std::optional<TiktokenEncoding> encoding;
  if (!asked.is_null()) {
    AMBRY_TRY(encoding, model::read_tiktoken_encoding(asked, "encoding"));
  }
  AMBRY_TRY(auto read, model::parse_tiktoken(text, encoding ? &*encoding : nullptr));
  ParsedTokenizer parsed;
  parsed.data = std::move(read.data);
  parsed.is_tiktoken = true;
  parsed.encoding = std::move(read.encoding.name);
  if (const std::string& others = read.encoding.others; !others.empty()) {
    Failure assumed = make_error(
        ErrorCode::NotFound, "encoding",
        {"the file does not list its special tokens; assuming those of ", parsed.encoding,
         ". A file of ", others, " has the same ranks: the option encoding (--encoding) says it"});
    parsed.warnings.push_back(std::move(*assumed));
  }
  return parsed;
}

// Recognizes a file without a model format by its start: a JSON object, a SentencePiece message
// whose first field is a piece, or lines.
Result<ParsedTokenizer> parse_bare(const io::Source& source, const Json& encoding,
                                   Failure not_recognised) {
  AMBRY_TRY(const Bytes bytes, source.view(0, source.size(), "tokenizer"));
  const std::string_view text = as_text(bytes);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return not_recognised;
  if (text[first] == '{') return parse_json_file(text);
  ParsedTokenizer parsed;
  constexpr char kFirstField = '\x0A';
  if (text[0] == kFirstField) {
    auto pieces = model::sentencepiece_tokenizer(bytes, 0, "tokenizer.model");
    if (pieces) {
      parsed.data = std::move(*pieces);
      return parsed;
    }
  }
  if (!encoding.is_null() || formats::is_tiktoken(text)) return parse_tiktoken_file(text, encoding);
  auto vocabulary = huggingface::parse_vocab_txt(text);
  // For other binary files, name their likely kind instead of their first invalid byte.
  if (!vocabulary) return not_recognised;
  parsed.data = std::move(*vocabulary);
  return parsed;
}

Result<ParsedTokenizer> parse_file(const io::Source& source, const Json& encoding) {
  auto format = formats::recognise(source);
  if (!format) {
    if (format.error().code == ErrorCode::NeedBytes) return format.take_error();
    return parse_bare(source, encoding, format.take_error());
  }
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, (*format)->parse(source, diagnostics, {}));
  if (!model.tokenizer) {
    return make_error(ErrorCode::NotFound, "tokenizer",
                      {"this ", model.format, " file has no vocabulary"});
  }
  AMBRY_RETURN_IF_ERROR(resolve_custom_tokenizer(model));
  ParsedTokenizer parsed;
  parsed.chat_template = chat_template(model);
  parsed.data = std::move(*model.tokenizer);
  return parsed;
}

}  // namespace

Result<ParsedTokenizer> parse_any_tokenizer(const io::Source& source,
                                            const TokenizerSettings& settings) {
  AMBRY_TRY(ParsedTokenizer parsed, parse_file(source, settings.encoding));
  if (!settings.encoding.is_null() && !parsed.is_tiktoken) {
    return make_error(ErrorCode::BadValue, "encoding",
                      "only a tiktoken vocabulary needs this option (--encoding); leave it out");
  }
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(settings.lowercase, "lowercase", parsed.data));
  if (parsed.data.lowercase_assumed) {
    parsed.warnings.push_back(std::move(*model::assumed_uncased("vocab.txt")));
  }
  return parsed;
}

}  // namespace ambry::api
