#include "text/unicode/aligned_text.h"

namespace ambry::text {
namespace {

// Walks a text forwards, and back to positions that it has passed.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  // The start of the character that contains `byte`. With round_up, the character's end unless
  // `byte` starts it.
  TextPosition character_at(uint32_t byte, bool round_up) {
    if (byte < at_.byte) at_ = passed_before(byte);
    while (at_.byte < byte) {
      const TextPosition next = after(at_);
      if (next.byte > byte && !round_up) break;
      at_ = next;
      if (at_.byte >= passed_.size() * kStride) passed_.push_back(at_);
    }
    return at_;
  }

 private:
  static constexpr uint32_t kStride = 64;

  [[nodiscard]] TextPosition passed_before(uint32_t byte) const {
    const size_t i = byte / kStride;
    return passed_[i].byte <= byte ? passed_[i] : passed_[i - 1];
  }

  [[nodiscard]] TextPosition after(TextPosition at) const {
    if (static_cast<uint8_t>(text_[at.byte]) < 0x80) return {at.byte + 1, at.utf16 + 1};
    const DecodedCodePoint c = decode_utf8(text_, at.byte);
    return {at.byte + c.n_bytes, at.utf16 + utf16_length(c.code_point)};
  }

  std::string_view text_;
  TextPosition at_;
  std::vector<TextPosition> passed_ = {{}};  // the first character of each stride so far
};

}  // namespace

AlignedText align_to_itself(std::string_view text) {
  AlignedText made;
  for (size_t at = 0; at < text.size();) {
    const auto begin = static_cast<uint32_t>(at);
    const uint32_t n_bytes = decode_utf8(text, at).n_bytes;
    made.append(text.substr(at, n_bytes), {begin, begin + n_bytes});
    at += n_bytes;
  }
  return made;
}

void fill_spans(std::string_view text, std::vector<TextSpan>& spans) {
  Walker walker(text);
  for (TextSpan& span : spans) {
    span.begin = walker.character_at(span.begin.byte, false);
    span.end = walker.character_at(span.end.byte, true);
  }
}

}  // namespace ambry::text
