// A text that was made from another one. Each of its bytes knows which bytes of that text it came
// from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/unicode/text_span.h"

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
  // The origin of bytes [begin, end). An empty range lies where the byte before it ends.
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
  std::vector<ByteRange> origins_;  // one for each byte
};

// The text itself: the origin of each byte is its own character.
[[nodiscard]] AlignedText align_to_itself(std::string_view text);

// Extends spans of bytes to whole characters of `text` and sets their positions in UTF-16.
void fill_spans(std::string_view text, std::vector<TextSpan>& spans);

}  // namespace ambry::text
