#include "text/tokenizer/piece_table.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace ambry::text {
namespace {

// FNV-1a. A multiplication then mixes the low bits of the slot index.
constexpr uint32_t kHashSeed = 0x811C9DC5;

uint32_t hash_more(uint32_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x01000193U;
  return hash;
}

size_t slot_of(uint32_t hash, size_t n_slots) {
  const uint32_t mixed = hash * 0x9E3779B1U;
  return (mixed ^ (mixed >> 15)) & (n_slots - 1);
}

}  // namespace

PieceTable::PieceTable(model::Vocabulary vocabulary, size_t n_pieces, std::string continuing_prefix)
    : vocabulary_(std::move(vocabulary)),
      prefix_(std::move(continuing_prefix)),
      prefix_hash_(hash_more(kHashSeed, prefix_)),
      slots_(std::bit_ceil(2 * n_pieces + 1)) {
  assert(n_pieces <= vocabulary_.size());
  for (size_t id = 0; id < n_pieces; ++id) insert(static_cast<uint32_t>(id));
}

void PieceTable::insert(uint32_t id) {
  const std::string_view token = vocabulary_[id];
  if (token.empty()) return;
  max_token_bytes_ = std::max(max_token_bytes_, token.size());
  const uint32_t hash = hash_more(kHashSeed, token);
  size_t i = slot_of(hash, slots_.size());
  while (slots_[i].id != kEmpty && (slots_[i].hash != hash || vocabulary_[slots_[i].id] != token)) {
    i = (i + 1) & (slots_.size() - 1);
  }
  slots_[i] = {hash, id};
}

std::optional<uint32_t> PieceTable::find_hashed(uint32_t hash, std::string_view prefix,
                                                std::string_view rest) const {
  for (size_t i = slot_of(hash, slots_.size()); slots_[i].id != kEmpty;
       i = (i + 1) & (slots_.size() - 1)) {
    if (slots_[i].hash != hash) continue;
    const std::string_view token = vocabulary_[slots_[i].id];
    const bool equal = token.size() == prefix.size() + rest.size() && token.starts_with(prefix) &&
                       token.ends_with(rest);
    if (equal) return slots_[i].id;
  }
  return std::nullopt;
}

std::optional<uint32_t> PieceTable::find(std::string_view token) const {
  return find_hashed(hash_more(kHashSeed, token), {}, token);
}

std::optional<PieceTable::Match> PieceTable::longest(std::string_view word,
                                                     std::span<const uint32_t> ends, size_t first,
                                                     std::vector<uint32_t>& hashes) const {
  assert(first < ends.size());
  const size_t begin = first == 0 ? 0 : ends[first - 1];
  const std::string_view prefix = first == 0 ? std::string_view() : continuing_prefix();
  uint32_t hash = first == 0 ? kHashSeed : prefix_hash_;
  size_t hashed = begin;
  hashes.clear();
  for (size_t i = first; i < ends.size(); ++i) {
    if (ends[i] - begin + prefix.size() > max_token_bytes_) break;
    hash = hash_more(hash, word.substr(hashed, ends[i] - hashed));
    hashed = ends[i];
    hashes.push_back(hash);
  }
  for (size_t n = hashes.size(); n > 0; --n) {
    const std::string_view rest = word.substr(begin, ends[first + n - 1] - begin);
    if (const auto id = find_hashed(hashes[n - 1], prefix, rest)) return Match{*id, n};
  }
  return std::nullopt;
}

}  // namespace ambry::text
