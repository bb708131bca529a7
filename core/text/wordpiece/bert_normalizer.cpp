#include "text/wordpiece/bert_normalizer.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace ambry::text {

BertNormalizer::BertNormalizer(const NormalizerOptions& options)
    : options_(options), unicode_(Unicode::instance()) {}

void BertNormalizer::start(std::string_view text, TextPosition begin) {
  text_ = text;
  offset_ = 0;
  position_ = begin;
  queue_.clear();
  queue_next_ = 0;
}

bool BertNormalizer::next(NormalizedChar& out) {
  if (queue_next_ == queue_.size()) {
    // ASCII never decomposes and ends every run of marks, so it needs no queue.
    while (offset_ < text_.size() && static_cast<uint8_t>(text_[offset_]) < 0x80) {
      out = read();
      if (!clean(out)) continue;
      if (options_.lowercase && out.code_point >= U'A' && out.code_point <= U'Z') {
        out.code_point += U'a' - U'A';
      }
      return true;
    }
    refill();
    if (queue_.empty()) return false;
  }
  out = queue_[queue_next_++];
  return true;
}

NormalizedChar BertNormalizer::read() {
  const TextPosition begin = position_;
  const auto byte = static_cast<uint8_t>(text_[offset_]);
  const DecodedCodePoint c =
      byte < 0x80 ? DecodedCodePoint{byte, 1, true} : decode_utf8(text_, offset_);
  offset_ += c.n_bytes;
  position_.byte += c.n_bytes;
  position_.utf16 += utf16_length(c.code_point);
  return {c.code_point, {begin, position_}};
}

// Returns false when clean_text deletes the code point.
bool BertNormalizer::clean(NormalizedChar& c) const {
  if (!options_.clean_text) return true;
  const uint8_t flags = unicode_.flags(c.code_point);
  if ((flags & char_flags::kSpace) != 0) c.code_point = U' ';
  return (flags & char_flags::kDrop) == 0;
}

// Reads until the queue holds a code point and no mark waits for further marks.
void BertNormalizer::refill() {
  queue_.clear();
  queue_next_ = 0;
  while (offset_ < text_.size() && (queue_.empty() || !marks_.empty())) {
    NormalizedChar c = read();
    if (!clean(c)) continue;
    const bool is_cjk =
        options_.handle_chinese_chars && (unicode_.flags(c.code_point) & char_flags::kCjk) != 0;
    if (is_cjk) push({U' ', c.origin});
    push(c);
    if (is_cjk) push({U' ', c.origin});
  }
  flush_marks();
}

// Decomposes canonically. Marks wait until the next starter shows that they are complete.
void BertNormalizer::push(const NormalizedChar& c) {
  if (!options_.strip_accents) return push_lowercase(c);
  Unicode::Buffer buffer;
  std::span<const char32_t> parts;
  if ((unicode_.flags(c.code_point) & Unicode::kMapped) != 0) {
    parts = unicode_.decompose(c.code_point, buffer);
  }
  if (parts.empty()) parts = {&c.code_point, 1};
  for (size_t i = 0; i < parts.size(); ++i) {
    const uint8_t rank = unicode_.combining_rank(parts[i]);
    if (rank == 0) {
      flush_marks();
      if (i == 0) last_origin_ = c.origin;
      push_unaccented(parts[i]);
    } else {
      marks_.push_back({parts[i], rank, i > 0});
      if (i == 0) mark_origins_.push_back(c.origin);
    }
  }
}

// Hugging Face gives the reordered marks their origins in text order. A mark that was a code point
// of its own takes the next origin. A mark from a decomposition shares the origin of the mark
// before.
void BertNormalizer::flush_marks() {
  if (marks_.empty()) return;
  sort_marks();
  size_t next_origin = 0;
  for (const Mark& mark : marks_) {
    if (!mark.inserted) last_origin_ = mark_origins_[next_origin++];
    push_unaccented(mark.code_point);
  }
  marks_.clear();
  mark_origins_.clear();
}

// A stable sort by rank. It counts ranks, because a text may hold nothing but marks.
void BertNormalizer::sort_marks() {
  const auto by_rank = [](const Mark& a, const Mark& b) { return a.rank < b.rank; };
  if (std::is_sorted(marks_.begin(), marks_.end(), by_rank)) return;
  std::array<size_t, 256> next_position{};  // next position of each rank
  for (const Mark& mark : marks_) ++next_position[mark.rank];
  size_t total = 0;
  for (size_t& n : next_position) {
    const size_t count = n;
    n = total;
    total += count;
  }
  sorted_marks_.resize(marks_.size());
  for (const Mark& mark : marks_) sorted_marks_[next_position[mark.rank]++] = mark;
  marks_.swap(sorted_marks_);
}

void BertNormalizer::push_unaccented(char32_t c) {
  if ((unicode_.flags(c) & char_flags::kNonspacingMark) == 0) push_lowercase({c, last_origin_});
}

void BertNormalizer::push_lowercase(const NormalizedChar& c) {
  if (!options_.lowercase || (unicode_.flags(c.code_point) & Unicode::kMapped) == 0) {
    queue_.push_back(c);
    return;
  }
  Unicode::Buffer buffer;
  for (const char32_t letter : unicode_.to_lowercase(c.code_point, buffer)) {
    queue_.push_back({letter, c.origin});
  }
}

}  // namespace ambry::text
