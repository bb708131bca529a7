// BertNormalizer as a stream of code points, each with the span of the text it comes from: clean_text,
// spaces around CJK ideographs, accents stripped (canonical decomposition without its Mn), lower case.
// The character classes are Hugging Face's own, see unicode_tables.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/text_span.h"

namespace ambry::text {

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
  explicit BertNormalizer(const NormalizerOptions& options) : options_(options) {}

  // Starts on `text`, whose first byte stands at `begin` of the whole text.
  void start(std::string_view text, TextPosition begin);

  // The next code point of the normalised text; false at its end.
  [[nodiscard]] bool next(NormalizedChar& out);

  // Behind the last code point read from the text; after next() said false, behind the whole text.
  [[nodiscard]] TextPosition position() const { return position_; }

 private:
  // A code point on its way through decomposition.
  struct Pending {
    char32_t code_point = 0;
    uint8_t combining_class = 0;
    bool inserted = false;  // not the first code point of its decomposition
  };

  [[nodiscard]] NormalizedChar read();
  void refill();
  void push_cleaned(const NormalizedChar& c);
  void decompose_run(NormalizedChar c);
  void push_lowercase(const NormalizedChar& c);

  NormalizerOptions options_;
  std::string_view text_;
  size_t offset_ = 0;
  TextPosition position_;
  std::vector<NormalizedChar> queue_;  // ready to be handed out, from queue_next_ on
  size_t queue_next_ = 0;
  std::vector<Pending> pending_;
  std::vector<TextSpan> origins_;
};

}  // namespace ambry::text
