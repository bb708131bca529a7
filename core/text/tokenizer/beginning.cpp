#include "text/tokenizer/beginning.h"

#include <algorithm>

namespace ambry::text {
namespace {

// Shorter texts are read whole.
constexpr size_t kLeastBytes = 4096;
// Ordinary texts have fewer bytes to a token, so that the first try is enough.
constexpr size_t kBytesPerToken = 16;
constexpr size_t kGrowth = 4;
// Tokens for what the cut changes in short beginnings.
constexpr size_t kSpareTokens = 64;

size_t n_tokens_of(const Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.encode(text, {.add_special = false, .max_length = std::nullopt}).ids.size();
}

// Cuts no character.
std::string_view first_bytes(std::string_view text, size_t n) {
  while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80U) --n;
  return text.substr(0, n);
}

}  // namespace

std::string_view beginning_of(const Tokenizer& tokenizer, std::string_view text, size_t n_tokens) {
  if (n_tokens >= text.size()) return text;
  const size_t wanted = 2 * n_tokens + kSpareTokens;
  // A text that is not much longer than the try costs less if it is read at once.
  for (size_t size = std::max(wanted * kBytesPerToken, kLeastBytes); size < text.size() / 2;
       size *= kGrowth) {
    const std::string_view part = first_bytes(text, size);
    if (n_tokens_of(tokenizer, part) >= wanted) return part;
  }
  return text;
}

size_t count_tokens(const Tokenizer& tokenizer, std::string_view text, size_t most) {
  return std::min(n_tokens_of(tokenizer, beginning_of(tokenizer, text, most)), most);
}

Failure too_long(const Text& path, uint64_t n_tokens, uint64_t most, const char* has) {
  // Not more was read of a text with so many.
  const char* at_least = n_tokens > 2 * most ? "at least " : "";
  return make_error(ErrorCode::LimitExceeded, path,
                    {has, at_least, n_tokens, " tokens, but the model takes at most ", most});
}

}  // namespace ambry::text
