#include "model/subwords.h"

#include <algorithm>

#include "base/checked.h"

namespace ambry::model {

uint64_t count_ngrams(uint64_t length, uint32_t min_n, uint32_t max_n) {
  const uint64_t shortest = std::max<uint64_t>(min_n, 1);
  const uint64_t longest = std::min<uint64_t>(max_n, length);
  if (longest < shortest) return 0;
  // length - n + 1 of each n: an arithmetic series.
  const uint64_t lengths = longest - shortest + 1;
  const uint64_t ends = (length - shortest + 1) + (length - longest + 1);
  return checked_mul(lengths, ends).value_or(UINT64_MAX) / 2;
}

uint64_t count_scalar_values(std::string_view text) {
  return static_cast<uint64_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<uint8_t>(c) & 0xC0U) != 0x80U; }));
}

uint32_t fasttext_hash(std::string_view ngram) {
  uint32_t hash = 2166136261U;
  for (const char c : ngram) {
    hash = (hash ^ static_cast<uint32_t>(static_cast<int8_t>(c))) * 16777619U;
  }
  return hash;
}

}  // namespace ambry::model
