#include "text/bpe/word_splitters.h"

#include <algorithm>
#include <cstdint>

#include "base/utf8.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "text/bpe/splitter_parts.h"
#include "text/unicode/letters.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

using splitter_parts::after_words;
using splitter_parts::Char;
using splitter_parts::char_at;
using splitter_parts::contraction;
using splitter_parts::is_break;
using splitter_parts::kLetter;
using splitter_parts::kNumber;
using splitter_parts::kOther;
using splitter_parts::kSpace;
using splitter_parts::run_of;
using splitter_parts::spaces;

// Letters, with one character before them that is no letter, number or line end. Returns `begin`
// when there are none.
size_t letters(std::string_view text, size_t begin) {
  const Char first = char_at(text, begin);
  if (first.kind == kLetter) return run_of(text, first.end, kLetter);
  if (first.kind != kNumber && first.end < text.size() && !is_break(text[begin])) {
    const Char second = char_at(text, first.end);
    if (second.kind == kLetter) return run_of(text, second.end, kLetter);
  }
  return begin;
}

// `digits`: how many numbers at most are one word.
size_t split_cased(std::string_view text, size_t begin, size_t digits) {
  if (const size_t end = contraction(text, begin, true); end != begin) return end;
  if (const size_t end = letters(text, begin); end != begin) return end;
  return after_words(text, begin, digits, false);
}

// A run of characters that all satisfy the condition, or that all do not.
template <class Is>
size_t run_while_same(std::string_view text, size_t begin, const Is& is) {
  bool wanted = false;
  for (size_t i = begin; i < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, i);
    if (i == begin) wanted = is(c.code_point);
    if (is(c.code_point) != wanted) return i;
    i += c.n_bytes;
  }
  return text.size();
}

// One character that satisfies the condition, or a run of characters that do not.
template <class Is>
size_t each_or_rest(std::string_view text, size_t begin, const Is& is) {
  const DecodedCodePoint c = decode_utf8(text, begin);
  return is(c.code_point) ? begin + c.n_bytes : run_while_same(text, begin, is);
}

bool is_punctuation_character(char32_t c) {
  return (Unicode::instance().flags(c) & char_flags::kPunctuation) != 0;
}

bool is_digit(char32_t c) { return Letters::instance().is_digit(c); }

}  // namespace

size_t split_gpt2(std::string_view text, size_t begin) {
  if (const size_t end = contraction(text, begin, false); end != begin) return end;
  Char first = char_at(text, begin);
  if (text[begin] == ' ' && first.end < text.size()) {
    const Char second = char_at(text, first.end);
    if (second.kind != kSpace) first = second;
  }
  return first.kind == kSpace ? spaces(text, begin) : run_of(text, first.end, first.kind);
}

size_t split_llama3(std::string_view text, size_t begin) { return split_cased(text, begin, 3); }

size_t split_cl100k(std::string_view text, size_t begin) {
  const bool ends = run_of(text, begin, kSpace) == text.size();
  return ends ? text.size() : split_llama3(text, begin);
}

size_t split_qwen2(std::string_view text, size_t begin) { return split_cased(text, begin, 1); }

size_t split_seed_coder(std::string_view text, size_t begin) {
  if (const size_t end = contraction(text, begin, true); end != begin) return end;
  if (const size_t end = letters(text, begin); end != begin) return end;
  const size_t others = text[begin] == ' ' ? begin + 1 : begin;
  if (const size_t end = run_of(text, others, kOther); end != others) return end;
  return after_words(text, begin, 1, false);
}

size_t split_ufakzeka(std::string_view text, size_t begin) {
  const size_t end = letters(text, begin);
  return end != begin ? end : after_words(text, begin, 1, false);
}

size_t split_line_feed_runs(std::string_view text, size_t begin) {
  return run_while_same(text, begin, [](char32_t c) { return c == U'\n'; });
}

size_t split_punctuation_runs(std::string_view text, size_t begin) {
  return run_while_same(text, begin, is_punctuation_character);
}

size_t split_punctuation(std::string_view text, size_t begin) {
  return each_or_rest(text, begin, is_punctuation_character);
}

size_t split_digit_runs(std::string_view text, size_t begin) {
  return run_while_same(text, begin, is_digit);
}

size_t split_digits(std::string_view text, size_t begin) {
  return each_or_rest(text, begin, is_digit);
}

size_t split_spelled_digits(std::string_view bytes, size_t begin) {
  const auto is_spelled = [&](size_t i) {
    return is_digit(model::ByteAlphabet::instance().code_point(static_cast<uint8_t>(bytes[i])));
  };
  size_t end = begin + 1;
  while (end < bytes.size() && is_spelled(end) == is_spelled(begin)) ++end;
  return end;
}

size_t split_three_digits(std::string_view text, size_t begin) {
  const auto three_at = [&](size_t i) {
    const std::string_view three = text.substr(i, 3);
    return three.size() == 3 &&
           std::all_of(three.begin(), three.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (three_at(begin)) return begin + 3;
  size_t end = begin + 1;
  while (end < text.size() && !three_at(end)) ++end;
  return end;
}

}  // namespace ambry::text
