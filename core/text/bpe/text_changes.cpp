#include "text/bpe/text_changes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/utf8.h"
#include "text/unicode/letters.h"
#include "text/unicode/normal_form.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

template <class Each>
void for_each_char(const AlignedText& from, const Each& each) {
  const std::string_view text = from.text();
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, at);
    each(c.code_point, text.substr(at, c.n_bytes), from.origin(at, at + c.n_bytes));
    at += c.n_bytes;
  }
}

AlignedText to_form(const AlignedText& from, NormalForm form) {
  if (is_normal(from.text(), form)) return from;
  const AlignedText made = normalize(from.text(), form);
  AlignedText to;
  for_each_char(made, [&](char32_t /*c*/, std::string_view bytes, ByteRange origin) {
    to.append(bytes, from.origin(origin.begin, origin.end));
  });
  return to;
}

AlignedText lower(const AlignedText& from) {
  AlignedText to;
  for_each_char(from, [&](char32_t c, std::string_view bytes, ByteRange origin) {
    Unicode::Buffer buffer{};
    const auto lowered = Unicode::instance().to_lowercase(c, buffer);
    if (lowered.empty()) return to.append(bytes, origin);
    for (const char32_t one : lowered) to.append(one, origin);
  });
  return to;
}

// Each run of white space becomes one space.
AlignedText collapse_spaces(const AlignedText& from) {
  AlignedText to;
  bool in_run = false;
  for_each_char(from, [&](char32_t c, std::string_view bytes, ByteRange origin) {
    const bool space = Letters::instance().kind(c) == letter_data::kSpace;
    if (!space) to.append(bytes, origin);
    if (space && !in_run) to.append(" ", origin);
    in_run = space;
  });
  return to;
}

std::optional<NormalForm> form_of(model::TextChange how) {
  switch (how) {
    case model::TextChange::Nfc:
      return NormalForm::Nfc;
    case model::TextChange::Nfd:
      return NormalForm::Nfd;
    case model::TextChange::Nfkc:
      return NormalForm::Nfkc;
    case model::TextChange::Nfkd:
      return NormalForm::Nfkd;
    case model::TextChange::Lowercase:
    case model::TextChange::CollapseSpaces:
      break;
  }
  return std::nullopt;
}

}  // namespace

AlignedText changed(const AlignedText& text, model::TextChange how) {
  if (const auto form = form_of(how)) return to_form(text, *form);
  return how == model::TextChange::Lowercase ? lower(text) : collapse_spaces(text);
}

bool is_unchanged(std::string_view text, std::span<const model::TextChange> changes) {
  return std::ranges::all_of(changes, [&](model::TextChange how) {
    const auto form = form_of(how);
    return form && is_normal(text, *form);
  });
}

AlignedText changed(std::string_view text, std::span<const model::TextChange> changes) {
  AlignedText made = align_to_itself(text);
  for (const model::TextChange how : changes) made = changed(made, how);
  return made;
}

}  // namespace ambry::text
