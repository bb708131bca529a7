#include "text/tokenizer/added_tokens.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

bool has_flag(char32_t c, uint8_t flag) { return (Unicode::instance().flags(c) & flag) != 0; }

// The start of the code point that ends at `end`; end > 0.
size_t begin_of_last(std::string_view text, size_t end) {
  const std::string_view before = text.substr(0, end);
  for (size_t n = 1; n <= std::min<size_t>(end, 4); ++n) {
    const DecodedCodePoint c = decode_utf8(before, end - n);
    if (c.valid && c.n_bytes == n) return end - n;
  }
  return end - 1;
}

size_t skip_spaces_back(std::string_view text, size_t end) {
  while (end > 0) {
    const size_t begin = begin_of_last(text, end);
    if (!has_flag(decode_utf8(text, begin).code_point, char_flags::kWhiteSpace)) break;
    end = begin;
  }
  return end;
}

size_t skip_spaces(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const DecodedCodePoint c = decode_utf8(text, begin);
    if (!has_flag(c.code_point, char_flags::kWhiteSpace)) break;
    begin += c.n_bytes;
  }
  return begin;
}

// Whether no letter, digit or other word character is next to [begin, end).
bool stands_alone(std::string_view text, size_t begin, size_t end) {
  const auto is_word = [&](size_t at) {
    return has_flag(decode_utf8(text, at).code_point, char_flags::kWord);
  };
  return (begin == 0 || !is_word(begin_of_last(text, begin))) &&
         (end == text.size() || !is_word(end));
}

}  // namespace

void AddedTokenMatcher::add(const model::AddedToken& token, std::string content) {
  if (content.empty()) return;
  starts_[static_cast<uint8_t>(content[0])] = true;
  entries_.push_back({.content = std::move(content),
                      .order = entries_.size(),
                      .id = token.id,
                      .lstrip = token.lstrip,
                      .rstrip = token.rstrip,
                      .single_word = token.single_word});
}

void AddedTokenMatcher::finish() {
  sort_items(entries_, [](const Entry& a, const Entry& b) {
    return a.content != b.content ? a.content < b.content : a.order < b.order;
  });
  // Among equal strings, the first that was added is used.
  const auto same = [](const Entry& a, const Entry& b) { return a.content == b.content; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

// Narrows the range of entries that share their first bytes with `rest`, byte by byte.
const AddedTokenMatcher::Entry* AddedTokenMatcher::longest_at(std::string_view rest) const {
  const Entry* best = nullptr;
  auto low = entries_.begin();
  auto high = entries_.end();
  for (size_t n = 0; n < rest.size() && low != high; ++n) {
    const auto byte_of = [n](const Entry& entry) { return static_cast<uint8_t>(entry.content[n]); };
    const auto byte = static_cast<uint8_t>(rest[n]);
    low = std::lower_bound(low, high, byte,
                           [&](const Entry& e, uint8_t b) { return byte_of(e) < b; });
    high = std::upper_bound(low, high, byte,
                            [&](uint8_t b, const Entry& e) { return b < byte_of(e); });
    // An entry that ends here sorts before all longer ones.
    if (low != high && low->content.size() == n + 1) best = &*low++;
  }
  return best;
}

void AddedTokenMatcher::find(std::string_view text, std::vector<Match>& matches) const {
  matches.clear();
  if (entries_.empty()) return;
  size_t taken = 0;
  for (size_t i = 0; i < text.size();) {
    const Entry* entry =
        starts_[static_cast<uint8_t>(text[i])] ? longest_at(text.substr(i)) : nullptr;
    if (entry == nullptr) {
      ++i;
      continue;
    }
    Match match{i, i + entry->content.size(), entry->id};
    i = match.end;
    if (entry->single_word && !stands_alone(text, match.begin, match.end)) continue;
    if (entry->lstrip) match.begin = std::max(skip_spaces_back(text, match.begin), taken);
    if (entry->rstrip) match.end = skip_spaces(text, match.end);
    if (match.begin >= match.end) continue;  // the previous match includes this white space
    taken = match.end;
    matches.push_back(match);
  }
}

AddedTokens::AddedTokens(std::vector<model::AddedToken> tokens, std::vector<std::string> normalized)
    : tokens_(std::move(tokens)) {
  // Hugging Face looks for special tokens first, which decides between two equal strings.
  for (const bool special : {true, false}) {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const model::AddedToken& token = tokens_[i];
      if (token.special != special) continue;
      if (token.normalized) {
        assert(normalized.size() == tokens_.size());
        normalized_.add(token, normalized[i]);
      } else {
        raw_.add(token, token.content);
      }
      texts_.push_back({token.id, token.normalized ? normalized[i] : token.content});
      if (special) special_.push_back(token.content);
    }
  }
  raw_.finish();
  normalized_.finish();
  sort_items(special_, std::less<>());
  sort_items(texts_, [](const Text& a, const Text& b) {
    return a.id != b.id ? a.id < b.id : a.text < b.text;
  });
}

std::optional<std::string_view> AddedTokens::text(uint32_t id) const {
  const auto found = std::lower_bound(texts_.begin(), texts_.end(), id,
                                      [](const Text& entry, uint32_t i) { return entry.id < i; });
  if (found == texts_.end() || found->id != id) return std::nullopt;
  return found->text;
}

const model::AddedToken* AddedTokens::find(std::string_view content) const {
  const auto found = std::find_if(tokens_.begin(), tokens_.end(),
                                  [&](const auto& token) { return token.content == content; });
  return found != tokens_.end() ? &*found : nullptr;
}

bool AddedTokens::is_special(std::string_view text) const {
  return std::binary_search(special_.begin(), special_.end(), text);
}

size_t AddedTokens::id_limit() const { return texts_.empty() ? 0 : size_t{texts_.back().id} + 1; }

}  // namespace ambry::text
