// BertNormalizer as a stream of code points, each with its span in the text: clean_text, spaces
// around CJK ideographs, accents stripped (canonical decomposition without nonspacing marks) and
// lower case. The character classes are Hugging Face's own; see unicode_tables.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/unicode/text_span.h"

namespace ambry::text {

class Unicode;

struct NormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};

struct NormalizedChar {
  char32_t code_point = 0;
  TextSpan origin;
};

class BertNormalizer {
 public:
  explicit BertNormalizer(const NormalizerOptions& options);

  // Starts on `text`, whose first byte is at `begin` in the whole text.
  void start(std::string_view text, TextPosition begin);

  // Gives the next code point of the normalized text. Returns false at its end.
  [[nodiscard]] bool next(NormalizedChar& out);

  // The position after the last code point read from the text. Once next() has returned false, the
  // end of the text.
  [[nodiscard]] TextPosition position() const { return position_; }

 private:
  // A code point with a canonical combining class, which determines its order among its neighbours.
  struct Mark {
    char32_t code_point = 0;
    uint8_t rank = 0;
    bool inserted = false;  // whether it is not the first code point of its decomposition
  };

  [[nodiscard]] NormalizedChar read();
  [[nodiscard]] bool clean(NormalizedChar& c) const;
  void refill();
  void push(const NormalizedChar& c);
  void flush_marks();
  void sort_marks();
  void push_unaccented(char32_t c);
  void push_lowercase(const NormalizedChar& c);

  NormalizerOptions options_;
  const Unicode& unicode_;
  std::string_view text_;
  size_t offset_ = 0;
  TextPosition position_;
  std::vector<NormalizedChar> queue_;  // ready to be returned, from queue_next_ on
  size_t queue_next_ = 0;
  std::vector<Mark> marks_;             // the marks since the last starter
  std::vector<TextSpan> mark_origins_;  // for the marks that were not inserted
  std::vector<Mark> sorted_marks_;
  TextSpan last_origin_;
};

}  // namespace ambry::text
