// The expressions of CLIP, BLOOM, GPT-4o, Tekken, Qwen 3.5 and DeepSeek (word_splitters.h).
#include <string_view>

#include "base/utf8.h"
#include "model/tokenizer/deepseek_classes.h"
#include "text/bpe/splitter_parts.h"
#include "text/bpe/word_splitters.h"
#include "text/unicode/letters.h"

namespace ambry::text {
namespace {

using letter_data::kLower;
using letter_data::kMark;
using letter_data::kPunctuation;
using letter_data::kSymbol;
using letter_data::kUncased;
using letter_data::kUpper;
using model::kDeepseek3Cjk;
using model::kDeepseekCjk;
using model::kDeepseekLetters;
using model::kDeepseekPunctuation;
using splitter_parts::after_words;
using splitter_parts::category_at;
using splitter_parts::Char;
using splitter_parts::char_at;
using splitter_parts::contraction;
using splitter_parts::is_break;
using splitter_parts::is_in;
using splitter_parts::is_letter_or_mark;
using splitter_parts::kLetter;
using splitter_parts::kNumber;
using splitter_parts::kOther;
using splitter_parts::kSpace;
using splitter_parts::line_breaks;
using splitter_parts::match_or_gap;
using splitter_parts::run_of;
using splitter_parts::run_while;
using splitter_parts::spaces;

// One white space character or nothing, then a run of characters that satisfy the condition.
// Returns `begin` when there is no such run.
template <class Is>
size_t spaced_run(std::string_view text, size_t begin, const Is& is) {
  const Char first = char_at(text, begin);
  const size_t from = first.kind == kSpace ? first.end : begin;
  const size_t end = run_while(text, from, is);
  return end > from ? end : begin;
}

bool is_upper(std::string_view text, size_t i) {
  const uint8_t category = category_at(text, i);
  return category == kUpper || category == kUncased || category == kMark;
}

bool is_lower(std::string_view text, size_t i) {
  const uint8_t category = category_at(text, i);
  return category == kLower || category == kUncased || category == kMark;
}

// U*L+ from `begin`, where U is upper case, L lower case, and both have letters without case and
// marks. Returns `begin` when nothing matches.
size_t ends_in_lower(std::string_view text, size_t begin) {
  const size_t upper_end = run_while(text, begin, is_upper);
  const size_t end = run_while(text, upper_end, is_lower);
  if (end > upper_end) return end;
  // U* gives back characters until the last that is in L too.
  size_t last = begin;
  for (size_t i = begin; i < upper_end;) {
    const size_t next = i + decode_utf8(text, i).n_bytes;
    if (is_lower(text, i)) last = next;
    i = next;
  }
  return last;
}

// U+L* from `begin`, where ends_in_lower() found nothing.
size_t starts_in_upper(std::string_view text, size_t begin) {
  return run_while(text, begin, is_upper);
}

// The words of o200k without their contractions. Returns `begin` when there is none.
size_t cased_word(std::string_view text, size_t begin) {
  const Char first = char_at(text, begin);
  const bool may_lead = first.kind != kLetter && first.kind != kNumber && !is_break(text[begin]);
  for (auto* match : {ends_in_lower, starts_in_upper}) {
    if (may_lead) {
      const size_t end = match(text, first.end);
      if (end > first.end) return end;
    }
    const size_t end = match(text, begin);
    if (end > begin) return end;
  }
  return begin;
}

bool is_bloom_word(std::string_view text, size_t i) {
  static constexpr std::u32string_view kEnds = U"()|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c";
  const char32_t c = decode_utf8(text, i).code_point;
  return char_at(text, i).kind != kSpace && kEnds.find(c) == std::u32string_view::npos;
}

bool is_letter(std::string_view text, size_t i) { return char_at(text, i).kind == kLetter; }
bool is_punctuation(std::string_view text, size_t i) {
  return category_at(text, i) == kPunctuation;
}

bool is_ascii_letter(std::string_view text, size_t i) {
  const char c = static_cast<char>(text[i] | 0x20);
  return c >= 'a' && c <= 'z';
}

bool is_symbol(std::string_view text, size_t i) {
  const uint8_t category = category_at(text, i);
  return category == kPunctuation || category == kSymbol;
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool is_other_but_mark(std::string_view text, size_t i) {
  return char_at(text, i).kind == kOther && category_at(text, i) != kMark;
}

// The third expression of DeepSeek V3. Spark's takes line ends one by one.
template <bool single_ends>
size_t deepseek3_word(std::string_view text, size_t begin) {
  if (is_ascii_punctuation(text[begin])) {
    const size_t end = run_while(text, begin + 1, is_ascii_letter);
    if (end > begin + 1) return end;
  }
  const Char first = char_at(text, begin);
  const bool may_lead = !is_break(text[begin]) && first.kind != kLetter && !is_symbol(text, begin);
  for (const size_t from : {may_lead ? first.end : begin, begin}) {
    const size_t end = run_while(text, from, is_letter_or_mark);
    if (end > from) return end;
  }
  const size_t symbols = text[begin] == ' ' ? begin + 1 : begin;
  if (size_t end = run_while(text, symbols, is_symbol); end > symbols) {
    while (!single_ends && end < text.size() && is_break(text[end])) ++end;
    return end;
  }
  if (single_ends && is_break(text[begin])) return begin + 1;
  if (const size_t end = line_breaks(text, begin); !single_ends && end != begin) return end;
  return spaces(text, begin);
}

}  // namespace

size_t split_o200k(std::string_view text, size_t begin) {
  const size_t end = cased_word(text, begin);
  if (end == begin) return after_words(text, begin, 3, true);
  return end < text.size() ? contraction(text, end, true) : end;
}

size_t split_youtu(std::string_view text, size_t begin) {
  const size_t end = cased_word(text, begin);
  if (end == begin) return after_words(text, begin, 1, true);
  return end < text.size() ? contraction(text, end, true) : end;
}

size_t split_tekken(std::string_view text, size_t begin) {
  const size_t end = cased_word(text, begin);
  return end != begin ? end : after_words(text, begin, 1, true);
}

size_t split_qwen35(std::string_view text, size_t begin) {
  if (const size_t end = contraction(text, begin, true); end != begin) return end;
  const Char first = char_at(text, begin);
  if (first.kind == kNumber) return first.end;
  const size_t lead = is_break(text[begin]) || is_letter(text, begin) ? begin : first.end;
  for (const size_t from : {lead, begin}) {
    const size_t end = run_while(text, from, is_letter_or_mark);
    if (end > from) return end;
  }
  const size_t others = text[begin] == ' ' ? begin + 1 : begin;
  if (size_t end = run_while(text, others, is_other_but_mark); end > others) {
    while (end < text.size() && is_break(text[end])) ++end;
    return end;
  }
  if (const size_t end = line_breaks(text, begin); end != begin) return end;
  return spaces(text, begin);
}

size_t split_bloom(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    const size_t from = part[i] == ' ' ? i + 1 : i;
    const size_t end = run_while(part, from, is_bloom_word);
    return end > from ? end : i;
  });
}

size_t split_clip(std::string_view text, size_t begin) {
  for (const std::string_view token : {"<|startoftext|>", "<|endoftext|>"}) {
    if (text.substr(begin).starts_with(token)) return begin + token.size();
  }
  if (const size_t end = contraction(text, begin, false); end != begin) return end;
  const Char first = char_at(text, begin);
  return first.kind == kNumber ? first.end : run_of(text, first.end, first.kind);
}

size_t split_line_ends(std::string_view text, size_t begin) {
  return match_or_gap(
      text, begin, [](std::string_view part, size_t i) { return is_break(part[i]) ? i + 1 : i; });
}

size_t split_spaced_letters(std::string_view text, size_t begin) {
  return match_or_gap(
      text, begin, [](std::string_view part, size_t i) { return spaced_run(part, i, is_letter); });
}

size_t split_spaced_punctuation(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return spaced_run(part, i, is_punctuation);
  });
}

size_t split_deepseek_letters(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return spaced_run(part, i, is_in(kDeepseekLetters));
  });
}

size_t split_deepseek_punctuation(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return spaced_run(part, i, is_in(kDeepseekPunctuation));
  });
}

// `$` is the end, and also before a line feed.
size_t split_last_spaces(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    const size_t end = run_of(part, i, kSpace);
    if (end == i || end == part.size()) return end;
    const size_t last = part.substr(0, end).rfind('\n');
    return last != std::string_view::npos && last > i ? last : i;
  });
}

size_t split_deepseek_cjk(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return run_while(part, i, is_in(kDeepseekCjk));
  });
}

size_t split_three_numbers(std::string_view text, size_t begin) {
  return match_or_gap(text, begin,
                      [](std::string_view part, size_t i) { return run_of(part, i, kNumber, 3); });
}

size_t split_deepseek3_cjk(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, [](std::string_view part, size_t i) {
    return run_while(part, i, is_in(kDeepseek3Cjk));
  });
}

size_t split_deepseek3(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, deepseek3_word<false>);
}

size_t split_spark(std::string_view text, size_t begin) {
  return match_or_gap(text, begin, deepseek3_word<true>);
}

}  // namespace ambry::text
