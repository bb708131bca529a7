// A text made from another one, and from which bytes of that each of its own bytes comes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/tokenizer/text_span.h"

namespace ambry::text {

struct ByteRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

class AlignedText {
 public:
  void append(char32_t c, ByteRange origin) {
    append_utf8(text_, c);
    origins_.resize(text_.size(), origin);
  }
  void append(std::string_view bytes, ByteRange origin) {
    text_ += bytes;
    origins_.resize(text_.size(), origin);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  // Of bytes [begin, end) of the text; empty ones stand where the byte before ends.
  [[nodiscard]] ByteRange origin(size_t begin, size_t end) const {
    if (origins_.empty()) return {};
    if (begin >= end) {
      const uint32_t at = begin == 0 ? origins_.front().begin : origins_[begin - 1].end;
      return {at, at};
    }
    return {origins_[begin].begin, origins_[end - 1].end};
  }

 private:
  std::string text_;
  std::vector<ByteRange> origins_;  // one a byte
};

// Spans whose bytes are known get whole characters of `text` and their places in UTF-16.
void fill_spans(std::string_view text, std::vector<TextSpan>& spans);

}  // namespace ambry::text
