#include "api/tokenizer/tokenizer_parse.h"

#include <string>
#include <string_view>
#include <utility>

#include "api/tokenizer/stated_templates.h"
#include "base/bytes.h"
#include "formats/foreign_text.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/huggingface/tokenizer/tokenizer_files.h"
#include "formats/registry.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "model/tokenizer/files/tekken_file.h"
#include "model/tokenizer/files/tiktoken_file.h"
#include "model/tokenizer/letter_case.h"

namespace ambry::api {
namespace {

using io::Json;
using model::TiktokenEncoding;
namespace huggingface = formats::huggingface;

// GGUF's keys of a tokenizer.
constexpr std::string_view kTokenizerKeys = "metadata.tokenizer.";

std::string decoder_of(const Json& root) {
  const Json* decoder = root.find("decoder");
  return decoder != nullptr ? decoder->dump() : "null";
}

Result<ParsedTokenizer> parse_json_file(std::string_view text, const EndSwitches& ends) {
  AMBRY_TRY(const Json root, io::parse_json(text, 0, "tokenizer.json"));
  ParsedTokenizer parsed;
  if (model::is_tekken(root)) {
    AMBRY_TRY(parsed.data, model::parse_tekken(root));
  } else {
    AMBRY_TRY(parsed.data, parse_json_tokenizer(root, text, false));
    AMBRY_RETURN_IF_ERROR(switch_ends(ends, root, parsed.data));
    parsed.decoder = decoder_of(root);
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
Result<ParsedTokenizer> parse_bare(const io::Source& source, const TokenizerSettings& settings,
                                   Failure not_recognised) {
  AMBRY_TRY(const Bytes bytes, source.view(0, source.size(), "tokenizer"));
  const std::string_view text = as_text(bytes);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return not_recognised;
  if (text[first] == '{') return parse_json_file(text, settings.ends);
  ParsedTokenizer parsed;
  constexpr char kFirstField = '\x0A';
  if (text[0] == kFirstField) {
    auto pieces = model::sentencepiece_tokenizer(bytes, 0, "tokenizer.model");
    if (pieces) {
      parsed.data = std::move(*pieces);
      return parsed;
    }
  }
  if (!settings.encoding.is_null() || formats::is_tiktoken(text)) {
    return parse_tiktoken_file(text, settings.encoding);
  }
  auto vocabulary = huggingface::parse_vocab_txt(text);
  // For other binary files, name their likely kind instead of their first invalid byte.
  if (!vocabulary) return not_recognised;
  parsed.data = std::move(*vocabulary);
  return parsed;
}

Failure no_tokenizer(std::string_view file) {
  return make_error(ErrorCode::NotFound, "tokenizer",
                    {"this is ", file,
                     " without a tokenizer; give the file of a tokenizer, or a "
                     "directory that has one"});
}

// The decoder of a tokenizer that is a whole tokenizer.json. Empty for any other.
Result<std::string> decoder_in(const model::Model& model) {
  const model::TokenizerData& data = *model.tokenizer;
  const bool whole =
      data.kind == model::TokenizerKind::Custom || data.kind == model::TokenizerKind::Unigram;
  if (whole && data.payload.starts_with('{')) {
    AMBRY_TRY(const Json root, io::parse_json(data.payload, 0, "tokenizer.json"));
    return decoder_of(root);
  }
  const auto named = model::metadata_text(model.metadata, formats::gguf::kTokenizerModelKey);
  if (!whole || !data.payload.empty() || !named) return std::string();
  return model::metadata_error(model.metadata, formats::gguf::kTokenizerModelKey,
                               ErrorCode::Unsupported,
                               {"the tokenizer \"", *named, "\" is not supported"});
}

Result<ParsedTokenizer> parse_model(const formats::Format& format, const io::Source& source) {
  if (format.parse == nullptr) return no_tokenizer(format.facts.file);
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, format.parse(source, diagnostics, {}));
  if (!model.tokenizer) return no_tokenizer(format.facts.file);
  ParsedTokenizer parsed;
  for (Error& warning : diagnostics.warnings) {
    if (warning.path.starts_with(kTokenizerKeys)) parsed.warnings.push_back(std::move(warning));
  }
  AMBRY_TRY(parsed.decoder, decoder_in(model));
  AMBRY_RETURN_IF_ERROR(resolve_custom_tokenizer(model, false));
  AMBRY_TRY(parsed.templates, stated_templates(model, parsed.warnings));
  parsed.data = std::move(*model.tokenizer);
  return parsed;
}

Result<ParsedTokenizer> parse_file(const io::Source& source, const TokenizerSettings& settings) {
  auto format = formats::recognise_any(source, formats::token_formats());
  if (format) return parse_model(**format, source);
  if (format.error().code == ErrorCode::NeedBytes) return format.take_error();
  return parse_bare(source, settings, format.take_error());
}

}  // namespace

Result<ParsedTokenizer> parse_any_tokenizer(const io::Source& source,
                                            const TokenizerSettings& settings) {
  AMBRY_TRY(ParsedTokenizer parsed, parse_file(source, settings));
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
