#include "api/tokenizer/token_lists.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/tokenizer/beginning.h"
#include "text/unicode/text_span.h"

namespace ambry::api {
namespace {

using io::Json;

// [begin, end) of each token, in bytes or in UTF-16 code units.
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

Json encoding_document(const text::Encoding& encoding, Json tokens) {
  Json document = Json::object();
  document.set("ids", list_of(encoding.ids));
  document.set("tokens", std::move(tokens));
  document.set("typeIds", list_of(encoding.type_ids));
  document.set("offsets", offsets_of(encoding, &text::TextPosition::utf16));
  document.set("byteOffsets", offsets_of(encoding, &text::TextPosition::byte));
  return document;
}

Result<std::vector<uint32_t>> read_ids(const Json& list, uint64_t size, std::string_view name) {
  if (!list.is_array()) return make_error(ErrorCode::BadValue, name, "must be an array");
  std::vector<uint32_t> numbers;
  numbers.reserve(list.items().size());
  for (size_t i = 0; i < list.items().size(); ++i) {
    const Json& item = list.items()[i];
    if (!item.is_uint() || item.uint() >= size) {
      return make_error(ErrorCode::BadValue, {name, "[", i, "]"},
                        {"must be an integer from 0 to ", size - 1});
    }
    numbers.push_back(static_cast<uint32_t>(item.uint()));
  }
  return numbers;
}

Result<std::string> tokenize(const text::Tokenizer& tokenizer, std::string_view text,
                             const std::string_view* pair, bool special) {
  const text::EncodeOptions options{.add_special = special, .max_length = std::nullopt};
  text::Encoding encoding;
  if (pair == nullptr) {
    encoding = tokenizer.encode(text, options);
  } else {
    AMBRY_TRY(encoding, tokenizer.encode_pair(text, *pair, options));
  }
  Json tokens = Json::array();
  for (const uint32_t id : encoding.ids) tokens.append(tokenizer.token(id));
  return encoding_document(encoding, std::move(tokens)).dump();
}

std::string count_tokens(const text::Tokenizer& tokenizer, std::string_view text, uint64_t most) {
  const auto limit = static_cast<size_t>(std::min<uint64_t>(most, SIZE_MAX));
  return Json(uint64_t{text::count_tokens(tokenizer, text, limit)}).dump();
}

Result<std::string> detokenize(const text::Tokenizer& tokenizer, std::string_view ids,
                               bool skip_special) {
  AMBRY_RETURN_IF_ERROR(tokenizer.can_decode());
  AMBRY_TRY(const Json list, io::parse_json(ids, 0, "ids"));
  AMBRY_TRY(const std::vector<uint32_t> numbers, read_ids(list, tokenizer.size(), "ids"));
  return tokenizer.decode(numbers, skip_special);
}

}  // namespace ambry::api
