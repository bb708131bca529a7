#include "base/utf8.h"

#include <cassert>

#include "base/bytes.h"

namespace ambry {
namespace {

// The second byte has a narrower range after E0, ED, F0 and F4 (Unicode table 3-7).
struct LeadByte {
  uint32_t n_bytes = 0;  // 0: not a lead byte
  uint8_t second_low = 0x80;
  uint8_t second_high = 0xBF;
};

LeadByte classify(uint8_t lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {2};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {3};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  if (lead >= 0xF1 && lead <= 0xF3) return {4};
  return {};
}

}  // namespace

DecodedCodePoint decode_utf8(std::string_view text, size_t position) {
  assert(position < text.size());
  const auto byte_at = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte_at(position);
  if (lead < 0x80) return {lead, 1, true};

  const LeadByte form = classify(lead);
  if (form.n_bytes == 0) return {kReplacementCharacter, 1, false};
  char32_t value = lead & (0x7FU >> form.n_bytes);
  for (uint32_t i = 1; i < form.n_bytes; ++i) {
    const uint8_t low = i == 1 ? form.second_low : 0x80;
    const uint8_t high = i == 1 ? form.second_high : 0xBF;
    const bool in_range =
        position + i < text.size() && byte_at(position + i) >= low && byte_at(position + i) <= high;
    if (!in_range) return {kReplacementCharacter, i, false};
    value = (value << 6) | (byte_at(position + i) & 0x3FU);
  }
  return {value, form.n_bytes, true};
}

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  // Most text is ASCII, so eight bytes are checked at once.
  constexpr uint64_t kHighBits = 0x8080808080808080U;
  const uint8_t* bytes = as_bytes(text).data();
  for (size_t position = 0; position < text.size();) {
    if (text.size() - position >= sizeof(uint64_t) &&
        (load_le<uint64_t>(bytes + position) & kHighBits) == 0) {
      position += sizeof(uint64_t);
      continue;
    }
    const DecodedCodePoint decoded = decode_utf8(text, position);
    if (!decoded.valid) return position;
    position += decoded.n_bytes;
  }
  return std::nullopt;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string replaced;
  for (size_t position = 0; position < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, position);
    append_utf8(replaced, decoded.code_point);
    position += decoded.n_bytes;
  }
  return replaced;
}

void append_utf8(std::string& out, char32_t code_point) {
  const bool is_scalar = code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
  const char32_t c = is_scalar ? code_point : kReplacementCharacter;
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | (c >> 6));
    push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | (c >> 12));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | (c >> 18));
    push(0x80 | ((c >> 12) & 0x3F));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  }
}

}  // namespace ambry
