#include "text/grammar/matcher/token_texts.h"

#include <algorithm>

namespace ambry::text {
namespace {

// Longer tokens exist only in files that are made to be slow.
constexpr size_t kMaxTokenBytes = 1024;

}  // namespace

TokenTexts::TokenTexts(const Tokenizer& tokenizer, size_t n_tokens) {
  const std::span<const uint32_t> end_ids = tokenizer.end_ids();
  begins_.reserve(n_tokens + 1);
  begins_.push_back(0);
  for (uint32_t id = 0; id < n_tokens; ++id) {
    const auto bytes = tokenizer.text_bytes(id);
    const bool is_text = bytes && bytes->size() <= kMaxTokenBytes;
    if (is_text && std::ranges::count(end_ids, id) == 0) texts_ += *bytes;
    begins_.push_back(static_cast<uint32_t>(texts_.size()));
  }
}

}  // namespace ambry::text
