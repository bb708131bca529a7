#include "base/base64.h"

#include <cstdint>

namespace ambry {
namespace {

constexpr uint32_t kNoDigit = 64;

uint32_t digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0') + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : kNoDigit;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t n_padding = 0;
  while (n_padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++n_padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  uint32_t n_bits = 0;
  for (const char c : text) {
    const uint32_t digit = digit_of(c);
    if (digit == kNoDigit) return std::nullopt;
    bits = (bits << 6) | digit;
    n_bits += 6;
    if (n_bits < 8) continue;
    n_bits -= 8;
    bytes += static_cast<char>(bits >> n_bits);
  }
  const bool rest_is_zero = (bits & ((1U << n_bits) - 1)) == 0;
  return rest_is_zero ? std::optional(bytes) : std::nullopt;
}

}  // namespace ambry
