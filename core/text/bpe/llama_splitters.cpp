// The expressions that llama.cpp has names for and that no other list here has (word_splitters.h).
#include <array>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "text/bpe/splitter_parts.h"
#include "text/bpe/word_splitters.h"

namespace ambry::text {
namespace {

using letter_data::kMark;
using letter_data::kPunctuation;
using splitter_parts::after_words;
using splitter_parts::category_at;
using splitter_parts::Char;
using splitter_parts::char_at;
using splitter_parts::contraction;
using splitter_parts::is_break;
using splitter_parts::is_in;
using splitter_parts::kLetter;
using splitter_parts::kNumber;
using splitter_parts::kOther;
using splitter_parts::match_or_gap;
using splitter_parts::run_of;
using splitter_parts::run_while;

bool is_ggml_punctuation(std::string_view text, size_t i) {
  constexpr std::string_view kSymbols = "$+<=>^~|";
  return category_at(text, i) == kPunctuation || kSymbols.find(text[i]) != std::string_view::npos;
}

bool is_ascii_digit(std::string_view text, size_t i) { return text[i] >= '0' && text[i] <= '9'; }

// Whether the expression \b has no edge between a digit and this character.
bool continues_word(std::string_view text, size_t i) {
  const uint8_t kind = char_at(text, i).kind;
  return kind == kLetter || kind == kNumber || text[i] == '_' || category_at(text, i) == kMark;
}

// The end of the first of the groups of three in which `n` characters lie, counted from the right.
size_t first_group(size_t n) { return n % 3 == 0 ? 3 : n % 3; }

// Letters with their marks, in words that one space divides. Returns `begin` when there is no
// letter.
size_t phrase(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size()) {
    const size_t from = end > begin && text[end] == ' ' ? end + 1 : end;
    if (from == text.size() || char_at(text, from).kind != kLetter) break;
    end = run_while(text, char_at(text, from).end,
                    [](std::string_view part, size_t i) { return category_at(part, i) == kMark; });
  }
  return end;
}

size_t previous(std::string_view text, size_t i) {
  do {
    --i;
  } while (i > 0 && (static_cast<uint8_t>(text[i]) & 0xC0) == 0x80);
  return i;
}

// The end of the next characters.
size_t after(std::string_view text, size_t i, size_t n = 3) {
  for (; n > 0 && i < text.size(); --n) i += decode_utf8(text, i).n_bytes;
  return i;
}

// Digits cut into groups from the right. Where the cut before `begin` lies within the same digits,
// they are not counted again, so that long numbers take no longer.
template <class Is, class Groups>
size_t digit_groups(std::string_view text, size_t begin, const Is& is, const Groups& groups) {
  if (begin > 0 && is(text, previous(text, begin)) && is(text, begin)) return after(text, begin);
  for (size_t i = begin; i < text.size();) {
    size_t n = 0;
    size_t end = i;
    for (; end < text.size() && is(text, end); ++n) end += decode_utf8(text, end).n_bytes;
    if (n == 0) {
      i += decode_utf8(text, i).n_bytes;
      continue;
    }
    if (const size_t cut = groups(i, n, end); cut != 0) return cut;
    i = end;
  }
  return text.size();
}

}  // namespace

size_t split_ggml_punctuation(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return run_while(part, i, is_ggml_punctuation);
  });
}

size_t split_number_runs(std::string_view text, size_t begin) {
  return match_or_gap(text, begin,
                      [](std::string_view part, size_t i) { return run_of(part, i, kNumber); });
}

size_t split_thousands(std::string_view text, size_t begin) {
  return digit_groups(text, begin, is_ascii_digit,
                      [&](size_t from, size_t n, size_t end) -> size_t {
                        const size_t first = from + n % 3;
                        const size_t cut = first > begin ? first : first + 3;
                        return cut < end ? cut : 0;
                      });
}

size_t split_whole_thousands(std::string_view text, size_t begin) {
  return digit_groups(text, begin, is_ascii_digit,
                      [&](size_t from, size_t n, size_t end) -> size_t {
                        if (end < text.size() && continues_word(text, end)) return 0;
                        return from > begin ? from : from + first_group(n);
                      });
}

size_t split_number_thousands(std::string_view text, size_t begin) {
  const auto is_number = [](std::string_view part, size_t i) {
    return char_at(part, i).kind == kNumber;
  };
  return digit_groups(text, begin, is_number, [&](size_t from, size_t n, size_t) -> size_t {
    return from > begin ? from : after(text, from, first_group(n));
  });
}

size_t split_afmoe_scripts(std::string_view text, size_t begin) {
  constexpr std::u32string_view kScripts =
      U"\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f"
      U"\u2f00-\u2fdf\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f"
      U"\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff";
  return match_or_gap(text, begin, [is = is_in(kScripts)](std::string_view part, size_t i) {
    return run_while(part, i, is);
  });
}

size_t split_youtu_scripts(std::string_view text, size_t begin) {
  constexpr std::array<std::u32string_view, 4> kScripts = {
      U"\uac00-\ud7a3\u3131-\u318e",
      U"\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f",
      U"\u3105-\u312f", U"\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff"};
  return match_or_gap(text, begin, [&](std::string_view part, size_t i) {
    for (const std::u32string_view script : kScripts) {
      const size_t end = run_while(part, i, is_in(script));
      if (end > i) return end;
    }
    return i;
  });
}

size_t split_exaone_moe(std::string_view text, size_t begin) {
  if (const size_t end = contraction(text, begin, true); end != begin) return end;
  const Char first = char_at(text, begin);
  const bool leads = first.kind != kLetter && first.kind != kNumber && !is_break(text[begin]);
  const size_t from = leads ? first.end : begin;
  if (const size_t end = phrase(text, from); end != from) return end;
  if (first.kind == kNumber) return first.end;
  const size_t others = text[begin] == ' ' ? begin + 1 : begin;
  if (size_t end = run_of(text, others, kOther); end != others) {
    const bool ends = end < text.size() && (is_break(text[end]) || text[end] == '/');
    return ends ? end + 1 : end;
  }
  return after_words(text, begin, 1, false);
}

}  // namespace ambry::text
