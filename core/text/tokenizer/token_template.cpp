#include "text/tokenizer/token_template.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace ambry::text {
namespace {

// Any text that has a token.
constexpr std::string_view kShortText = "a";

// Where the tokens of `part` are in `whole`, from `from` on. A token that was added has no span, so
// that it differs from one that the text spells.
std::optional<size_t> place_of(const Encoding& part, const Encoding& whole, size_t from) {
  for (size_t at = from; at + part.ids.size() <= whole.ids.size(); ++at) {
    bool equal = true;
    for (size_t i = 0; equal && i < part.ids.size(); ++i) {
      equal = whole.ids[at + i] == part.ids[i] && whole.spans[at + i] == part.spans[i];
    }
    if (equal) return at;
  }
  return std::nullopt;
}

}  // namespace

Result<TokenTemplate> TokenTemplate::of(const Tokenizer& tokenizer, bool pair) {
  const EncodeOptions plain{.add_special = false, .max_length = {}};
  const EncodeOptions special{.add_special = true, .max_length = {}};
  const Encoding part = tokenizer.encode(kShortText, plain);
  Encoding whole;
  if (pair) {
    AMBRY_TRY(whole, tokenizer.encode_pair(kShortText, kShortText, special));
  } else {
    whole = tokenizer.encode(kShortText, special);
  }
  const size_t length = part.ids.size();
  const auto first = place_of(part, whole, 0);
  const auto second = pair && first ? place_of(part, whole, *first + length) : first;
  if (length == 0 || !first || !second) {
    return make_error(ErrorCode::Unsupported, "tokenizer",
                      "the tokenizer does not show what it adds around a text, so the parts of a "
                      "long text cannot get it");
  }
  const auto added = [&](size_t begin, size_t end) {
    Tokens tokens;
    for (size_t i = begin; i < end; ++i) tokens.push_back({whole.ids[i], whole.type_ids[i]});
    return tokens;
  };
  TokenTemplate made;
  made.before_ = added(0, *first);
  if (pair) made.between_ = added(*first + length, *second);
  made.after_ = added(*second + length, whole.ids.size());
  made.first_type_ = whole.type_ids[*first];
  made.second_type_ = whole.type_ids[*second];
  return made;
}

TokenTemplate::Places TokenTemplate::put_around(const Encoding* first, const Encoding& last,
                                                size_t begin, size_t end, Encoding& out) const {
  out = {};
  const auto push_added = [&out](const Tokens& tokens) {
    for (const Added& token : tokens) out.push(token.id, token.type_id, {});
  };
  const auto push_text = [&out](const Encoding& text, size_t from, size_t to, uint32_t type) {
    for (size_t i = from; i < to; ++i) out.push(text.ids[i], type, text.spans[i]);
    return out.ids.size();
  };
  Places places;
  push_added(before_);
  places.first = out.ids.size();
  if (first != nullptr) {
    places.first_end = push_text(*first, 0, first->ids.size(), first_type_);
    push_added(between_);
    places.second = out.ids.size();
    places.second_end = push_text(last, begin, end, second_type_);
  } else {
    places.first_end = push_text(last, begin, end, first_type_);
    places.second = places.second_end = places.first_end;
  }
  push_added(after_);
  out.full_length = out.ids.size();
  return places;
}

}  // namespace ambry::text
