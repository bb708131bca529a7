#include "api/tokenizer.h"

#include <utility>
#include <vector>

#include "api/documents.h"
#include "formats/huggingface/tokenizer_files.h"
#include "formats/registry.h"
#include "io/json.h"

namespace ambry::api {
namespace {

using io::Json;

// A file of no model format: a tokenizer.json when it starts like a JSON object, else a vocab.txt.
Result<model::TokenizerData> parse_bare(const io::Source& source, Failure not_recognised) {
  AMBRY_TRY(const Bytes bytes, source.view(0, source.size(), "tokenizer"));
  const std::string_view text = as_text(bytes);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return not_recognised;
  if (text[first] == '{') return formats::huggingface::parse_tokenizer_json(text);
  auto vocabulary = formats::huggingface::parse_vocab_txt(text);
  // A binary of some other kind is better named by what it looks like than by its first odd byte.
  if (!vocabulary) return not_recognised;
  return vocabulary;
}

Result<model::TokenizerData> parse_tokenizer(const io::Source& source) {
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
  return std::move(*model.tokenizer);
}

// [begin, end) of every token, in bytes or in UTF-16 code units.
Json offsets_of(const text::Encoding& encoding, uint32_t text::TextPosition::* unit) {
  Json list = Json::array();
  for (const text::TextSpan& span : encoding.spans) {
    Json range = Json::array();
    range.append(span.begin.*unit);
    range.append(span.end.*unit);
    list.append(std::move(range));
  }
  return list;
}

Json list_of(const std::vector<uint32_t>& numbers) {
  Json list = Json::array();
  for (const uint32_t number : numbers) list.append(number);
  return list;
}

}  // namespace

Result<Tokenizer> Tokenizer::create(const model::TokenizerData& data) {
  AMBRY_TRY(text::WordPiece word_piece, text::WordPiece::create(data));
  return Tokenizer(tokenizer_info(data).dump(),
                   std::make_shared<const text::WordPiece>(std::move(word_piece)));
}

Result<Tokenizer> Tokenizer::open(const io::Source& source) {
  AMBRY_TRY(const model::TokenizerData data, parse_tokenizer(source));
  return create(data);
}

std::string Tokenizer::tokenize(std::string_view text, const std::string_view* pair,
                                bool special) const {
  const text::EncodeOptions options{.add_special = special, .max_length = std::nullopt};
  const text::Encoding encoding = pair == nullptr ? word_piece_->encode(text, options)
                                                  : word_piece_->encode_pair(text, *pair, options);
  Json tokens = Json::array();
  for (const uint32_t id : encoding.ids) tokens.append(word_piece_->token(id));
  Json document = Json::object();
  document.set("ids", list_of(encoding.ids));
  document.set("tokens", std::move(tokens));
  document.set("typeIds", list_of(encoding.type_ids));
  document.set("offsets", offsets_of(encoding, &text::TextPosition::utf16));
  document.set("byteOffsets", offsets_of(encoding, &text::TextPosition::byte));
  return document.dump();
}

Result<std::string> Tokenizer::detokenize(std::string_view ids, bool skip_special) const {
  AMBRY_TRY(const Json list, io::parse_json(ids, 0, "ids"));
  if (!list.is_array()) return make_error(ErrorCode::BadValue, "ids", "must be an array");
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < list.items().size(); ++i) {
    const Json& item = list.items()[i];
    if (!item.is_uint() || item.uint() >= word_piece_->size()) {
      return make_error(ErrorCode::BadValue, {"ids[", i, "]"},
                        {"must be a whole number below ", word_piece_->size()});
    }
    numbers.push_back(static_cast<uint32_t>(item.uint()));
  }
  return word_piece_->decode(numbers, skip_special);
}

}  // namespace ambry::api
