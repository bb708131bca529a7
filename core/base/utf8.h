// UTF-8: strict validation, lossy decoding, encoding, and lengths in UTF-16 code units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ambry {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct DecodedCodePoint {
  char32_t code_point = 0;  // kReplacementCharacter where the bytes are not UTF-8
  uint32_t n_bytes = 0;     // bytes consumed, at least 1
  bool valid = true;
};

// Decodes the code point at `text[position]`; position < text.size(). Ill-formed input gives U+FFFD
// for each maximal subpart (Unicode 3.9, U+FFFD substitution), as TextDecoder does.
[[nodiscard]] DecodedCodePoint decode_utf8(std::string_view text, size_t position);

// The offset of the first byte that is not well-formed UTF-8; nothing for a valid text.
[[nodiscard]] std::optional<size_t> find_invalid_utf8(std::string_view text);

// The text with U+FFFD in place of ill-formed parts, as decode_utf8() returns it.
[[nodiscard]] std::string replace_invalid_utf8(std::string_view text);

// Appends one scalar value; surrogates and values past U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t code_point);

// 1 for the basic multilingual plane, 2 for the rest.
[[nodiscard]] inline uint32_t utf16_length(char32_t code_point) {
  return code_point < 0x10000 ? 1 : 2;
}

}  // namespace ambry
