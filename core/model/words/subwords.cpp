#include "model/words/subwords.h"

#include <algorithm>
#include <bit>

#include "base/checked.h"
#include "base/utf8.h"

namespace ambry::model {
namespace {

// Continues a 64-bit FNV-1a from `hash` over the lowest `n_bytes` bytes of a value.
uint64_t hash_integer(uint64_t hash, uint64_t value, int n_bytes) {
  for (int i = 0; i < n_bytes; ++i) hash = (hash ^ (value >> 8 * i & 0xFFU)) * 0x100000001B3U;
  return hash;
}

// The constants and shifts of MurmurHash3 x64 128.
constexpr uint64_t kMurmur1 = 0x87C37B91114253D5U;
constexpr uint64_t kMurmur2 = 0x4CF5AD432745937FU;

uint64_t mix_first(uint64_t k) { return std::rotl(k * kMurmur1, 31) * kMurmur2; }
uint64_t mix_second(uint64_t k) { return std::rotl(k * kMurmur2, 33) * kMurmur1; }

uint64_t mix_at_end(uint64_t k) {
  k = (k ^ k >> 33) * 0xFF51AFD7ED558CCDU;
  k = (k ^ k >> 33) * 0xC4CEB9FE1A85EC53U;
  return k ^ k >> 33;
}

// Loads up to eight bytes, little-endian.
uint64_t load_some(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{static_cast<uint8_t>(bytes[i])} << 8 * i;
  }
  return value;
}

}  // namespace

uint64_t count_ngrams(uint64_t length, uint32_t min_n, uint32_t max_n) {
  const uint64_t shortest = std::max<uint64_t>(min_n, 1);
  const uint64_t longest = std::min<uint64_t>(max_n, length);
  if (longest < shortest) return 0;
  // The sum of length - n + 1 over all n is an arithmetic series.
  const uint64_t lengths = longest - shortest + 1;
  const uint64_t ends = (length - shortest + 1) + (length - longest + 1);
  return checked_mul(lengths, ends).value_or(UINT64_MAX) / 2;
}

uint64_t count_scalar_values(std::string_view text) {
  return static_cast<uint64_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<uint8_t>(c) & 0xC0U) != 0x80U; }));
}

uint32_t fasttext_hash(std::string_view text, uint32_t hash) {
  for (const char c : text) {
    hash = (hash ^ static_cast<uint32_t>(static_cast<int8_t>(c))) * 16777619U;
  }
  return hash;
}

uint64_t finalfusion_hash(std::string_view ngram) {
  uint64_t hash = hash_integer(0xCBF29CE484222325U, count_scalar_values(ngram), 8);
  for (size_t at = 0; at < ngram.size();) {
    const DecodedCodePoint next = decode_utf8(ngram, at);
    hash = hash_integer(hash, next.code_point, 4);
    at += next.n_bytes;
  }
  return hash;
}

std::array<uint32_t, 4> floret_hashes(std::string_view piece, uint32_t seed) {
  constexpr size_t kBlock = 16;
  uint64_t h1 = seed;
  uint64_t h2 = seed;
  const uint64_t length = piece.size();
  for (; piece.size() >= kBlock; piece.remove_prefix(kBlock)) {
    h1 = (std::rotl(h1 ^ mix_first(load_some(piece.substr(0, 8))), 27) + h2) * 5 + 0x52DCE729U;
    h2 = (std::rotl(h2 ^ mix_second(load_some(piece.substr(8, 8))), 31) + h1) * 5 + 0x38495AB5U;
  }
  if (piece.size() > 8) h2 ^= mix_second(load_some(piece.substr(8)));
  h1 ^= mix_first(load_some(piece.substr(0, 8)));
  h1 ^= length;
  h2 ^= length;
  h1 += h2;
  h2 += h1;
  h1 = mix_at_end(h1);
  h2 = mix_at_end(h2);
  h1 += h2;
  h2 += h1;
  return {static_cast<uint32_t>(h1), static_cast<uint32_t>(h1 >> 32), static_cast<uint32_t>(h2),
          static_cast<uint32_t>(h2 >> 32)};
}

}  // namespace ambry::model
