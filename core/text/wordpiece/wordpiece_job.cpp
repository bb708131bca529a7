#include "text/wordpiece/wordpiece_job.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

// The position of `byte`, counted from a position nearby.
TextPosition position_at(std::string_view text, TextPosition from, size_t byte) {
  const auto utf16_of = [&](size_t begin, size_t end) {
    uint32_t length = 0;
    for (size_t i = begin; i < end;) {
      const DecodedCodePoint c = decode_utf8(text.substr(0, end), i);
      length += utf16_length(c.code_point);
      i += c.n_bytes;
    }
    return length;
  };
  const uint32_t utf16 = byte >= from.byte ? from.utf16 + utf16_of(from.byte, byte)
                                           : from.utf16 - utf16_of(byte, from.byte);
  return {static_cast<uint32_t>(byte), utf16};
}

}  // namespace

WordPieceJob::WordPieceJob(const WordPieceParts& parts, Encoding& out, size_t enough)
    : parts_(parts),
      out_(out),
      enough_(enough),
      unicode_(Unicode::instance()),
      normalizer_(parts.normalizer) {}

void WordPieceJob::run(std::string_view text) {
  std::vector<AddedTokenMatcher::Match> matches;
  parts_.added.raw().find(text, matches);
  TextPosition position;
  for (const AddedTokenMatcher::Match& match : matches) {
    if (match.begin > position.byte) position = run_segment(text, position, match.begin);
    const TextPosition begin = position_at(text, position, match.begin);
    position = position_at(text, begin, match.end);
    out_.push(match.id, 0, {begin, position});
  }
  if (position.byte < text.size()) run_segment(text, position, text.size());
}

// [begin, end) must hold no raw added token. Returns the position after it.
TextPosition WordPieceJob::run_segment(std::string_view text, TextPosition begin, size_t end) {
  normalizer_.start(text.substr(begin.byte, end - begin.byte), begin);
  if (parts_.added.normalized().empty()) {
    for (NormalizedChar c; normalizer_.next(c);) take(c);
    end_word();
  } else {
    run_normalized();
  }
  return normalizer_.position();
}

// Normalizes the whole segment, to cut out the added tokens of normalized text.
void WordPieceJob::run_normalized() {
  std::string normalized;
  std::vector<NormalizedChar> chars;
  std::vector<size_t> begins;  // byte at which each char starts in `normalized`
  for (NormalizedChar c; normalizer_.next(c);) {
    chars.push_back(c);
    begins.push_back(normalized.size());
    append_utf8(normalized, c.code_point);
  }
  const auto char_at = [&](size_t byte) {
    return static_cast<size_t>(std::lower_bound(begins.begin(), begins.end(), byte) -
                               begins.begin());
  };
  std::vector<AddedTokenMatcher::Match> matches;
  parts_.added.normalized().find(normalized, matches);
  size_t done = 0;
  for (const AddedTokenMatcher::Match& match : matches) {
    const size_t first = char_at(match.begin);
    const size_t after = char_at(match.end);
    for (; done < first; ++done) take(chars[done]);
    end_word();
    out_.push(match.id, 0, {chars[first].origin.begin, chars[after - 1].origin.end});
    done = after;
  }
  for (; done < chars.size(); ++done) take(chars[done]);
  end_word();
}

// BertPreTokenizer: white space separates words, and each punctuation character is a word.
void WordPieceJob::take(const NormalizedChar& c) {
  const uint8_t flags = unicode_.flags(c.code_point);
  if ((flags & (char_flags::kWhiteSpace | char_flags::kPunctuation)) == 0) return add_to_word(c);
  end_word();
  if ((flags & char_flags::kWhiteSpace) != 0) return;
  add_to_word(c);
  end_word();
}

void WordPieceJob::add_to_word(const NormalizedChar& c) {
  word_end_ = c.origin.end;
  if (ends_.size() > parts_.max_word_chars) return;  // already too long, so it becomes [UNK]
  if (c.code_point < 0x80) {
    word_.push_back(static_cast<char>(c.code_point));
  } else {
    append_utf8(word_, c.code_point);
  }
  ends_.push_back(static_cast<uint32_t>(word_.size()));
  origins_.push_back(c.origin);
}

void WordPieceJob::end_word() {
  if (ends_.empty()) return;
  if (!cover_word()) {
    out_.push(parts_.unk, 0, {origins_.front().begin, word_end_});
  }
  if (!length_read_ && out_.ids.size() >= enough_) length_read_ = out_.ids.size();
  word_.clear();
  ends_.clear();
  origins_.clear();
}

// Covers the word with the longest piece, then the longest piece for the rest, and so on. Fails if
// any part is not covered.
bool WordPieceJob::cover_word() {
  if (ends_.size() > parts_.max_word_chars) return false;
  const size_t n_before = out_.ids.size();
  for (size_t first = 0; first < ends_.size();) {
    const auto match = parts_.pieces.longest(word_, ends_, first, hashes_);
    if (!match) {
      out_.resize(n_before);
      return false;
    }
    const size_t last = first + match->n_chars - 1;
    out_.push(match->id, 0, {origins_[first].begin, origins_[last].end});
    first = last + 1;
  }
  return true;
}

}  // namespace ambry::text
