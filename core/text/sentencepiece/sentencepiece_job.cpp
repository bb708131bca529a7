#include "text/sentencepiece/sentencepiece_job.h"

#include <utility>

#include "text/unicode/aligned_text.h"

namespace ambry::text {

Encoding SentencePieceJob::run(std::string_view text) {
  text_ = text;
  std::vector<AddedTokenMatcher::Match> matches;
  parts_.added.raw().find(text, matches);
  size_t at = 0;
  for (const AddedTokenMatcher::Match& match : matches) {
    run_raw(at, match.begin);
    push_added(match, 0);
    at = match.end;
  }
  run_raw(at, text.size());
  fill_spans(text, out_.spans);
  return std::exchange(out_, {});
}

// In legacy mode, each segment between added tokens gets the dummy prefix. Otherwise only the first
// one does. A Metaspace pre-tokenizer gives none to a segment that starts with a space.
bool SentencePieceJob::needs_dummy_prefix(size_t begin, std::string_view segment) const {
  if (!parts_.hugging_face || (parts_.legacy && parts_.marks_before_added)) return true;
  return (begin == 0 || parts_.legacy) && !segment.starts_with(' ') &&
         !segment.starts_with(kSpaceMark);
}

void SentencePieceJob::push_added(const AddedTokenMatcher::Match& match, size_t offset) {
  const auto begin = static_cast<uint32_t>(match.begin + offset);
  const auto end = static_cast<uint32_t>(match.end + offset);
  out_.push(match.id, 0, {{begin, 0}, {end, 0}});
}

void SentencePieceJob::run_raw(size_t begin, size_t end) {
  if (begin >= end) return;
  if (parts_.marks_before_added) return run_segment(begin, end);
  std::vector<AddedTokenMatcher::Match> matches;
  parts_.added.normalized().find(text_.substr(begin, end - begin), matches);
  size_t at = begin;
  for (const AddedTokenMatcher::Match& match : matches) {
    run_segment(at, begin + match.begin);
    push_added(match, begin);
    at = begin + match.end;
  }
  run_segment(at, end);
}

void SentencePieceJob::run_segment(size_t begin, size_t end) {
  if (begin == end) return;
  const std::string_view segment = text_.substr(begin, end - begin);
  segment_begin_ = begin;
  parts_.normalizer.normalize(segment, parts_.vocabulary.user_defined,
                              needs_dummy_prefix(begin, segment), normalized_);
  std::vector<AddedTokenMatcher::Match> matches;
  if (parts_.marks_before_added) parts_.added.normalized().find(normalized_.text, matches);
  size_t at = 0;
  for (const AddedTokenMatcher::Match& match : matches) {
    run_pieces(at, match.begin);
    out_.push(match.id, 0, span(match.begin, match.end - match.begin));
    at = match.end;
  }
  run_pieces(at, normalized_.text.size());
}

void SentencePieceJob::run_pieces(size_t begin, size_t end) {
  if (begin >= end) return;
  pieces_.clear();
  cut_(std::string_view(normalized_.text).substr(begin, end - begin), pieces_);
  size_t at = begin;
  bool after_unknown = false;
  for (const PieceMatch& piece : pieces_) {
    const bool unknown = piece.id == PieceMatch::kUnknown;
    if (!unknown) {
      out_.push(piece.id, 0, span(at, piece.n_bytes));
    } else if (after_unknown && parts_.fuse_unk && !parts_.vocabulary.bytes) {
      out_.spans.back().end = span(at, piece.n_bytes).end;
    } else {
      push_unknown(at, piece.n_bytes);
    }
    after_unknown = unknown;
    at += piece.n_bytes;
  }
}

void SentencePieceJob::push_unknown(size_t at, size_t n_bytes) {
  const SentencePieceVocabulary& vocabulary = parts_.vocabulary;
  if (!vocabulary.bytes) return out_.push(*vocabulary.unk, 0, span(at, n_bytes));
  for (size_t i = 0; i < n_bytes; ++i) {
    const auto byte = static_cast<uint8_t>(normalized_.text[at + i]);
    out_.push((*vocabulary.bytes)[byte], 0, span(at, n_bytes));
  }
}

TextSpan SentencePieceJob::span(size_t at, size_t n_bytes) const {
  const auto position = [this](size_t byte) {
    return static_cast<uint32_t>(segment_begin_ + normalized_.origins[byte]);
  };
  return {{position(at), 0}, {position(at + n_bytes), 0}};
}

}  // namespace ambry::text
