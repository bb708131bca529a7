// A position in a text, in the two units that callers use: bytes of UTF-8 and UTF-16 code units. An
// ill-formed byte sequence counts as one U+FFFD.
#pragma once

#include <cstdint>

namespace ambry::text {

struct TextPosition {
  uint32_t byte = 0;
  uint32_t utf16 = 0;

  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

struct TextSpan {
  TextPosition begin;
  TextPosition end;

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

}  // namespace ambry::text
