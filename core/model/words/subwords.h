// The n-grams of a word, by which words share rows and an unknown word still gets a vector
// (core/formats/finalfusion/README.md#subwords). An n-gram is a run of min_n to max_n Unicode
// scalar values of the word in its brackets.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ambry::model {

// The maximum number of n-grams in one word. Real words have a few hundred.
inline constexpr uint64_t kMaxPiecesOfWord = 1 << 17;

// How many n-grams a text of `length` scalar values has. UINT64_MAX when the count passes 64 bits.
[[nodiscard]] uint64_t count_ngrams(uint64_t length, uint32_t min_n, uint32_t max_n);

// The number of scalar values in valid UTF-8.
[[nodiscard]] uint64_t count_scalar_values(std::string_view text);

// fastText's hash: 32-bit FNV-1a that treats bytes as signed. It can go on from the hash of the
// text before.
inline constexpr uint32_t kFastTextHashStart = 2166136261U;
[[nodiscard]] uint32_t fasttext_hash(std::string_view text, uint32_t hash = kFastTextHashStart);

// finalfusion's hash: 64-bit FNV-1a over the count of scalar values (8 bytes, little-endian) and
// then each scalar value (4 bytes). `ngram` is valid UTF-8.
[[nodiscard]] uint64_t finalfusion_hash(std::string_view ngram);

// floret's hash: MurmurHash3 x64 128 (Appleby, public domain) of the bytes, as four integers: the
// low and the high half of the first 64-bit word, then those of the second.
[[nodiscard]] std::array<uint32_t, 4> floret_hashes(std::string_view piece, uint32_t seed);

// Calls visit(std::string_view) for each n-gram of `text`, which is valid UTF-8. The order is that
// of the reference programs: by start, the longest first. Repeated n-grams are repeated.
template <class Visit>
void for_each_ngram(std::string_view text, uint32_t min_n, uint32_t max_n, const Visit& visit) {
  std::vector<size_t> bounds;  // where each scalar value starts
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xC0U) != 0x80U) bounds.push_back(i);
  }
  const size_t length = bounds.size();
  bounds.push_back(text.size());
  for (size_t start = 0; start < length; ++start) {
    size_t n = length - start < max_n ? length - start : max_n;
    for (; n >= min_n && n > 0; --n) {
      visit(text.substr(bounds[start], bounds[start + n] - bounds[start]));
    }
  }
}

}  // namespace ambry::model
