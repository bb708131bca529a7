#include "text/grammar/form/word_interner.h"

#include <algorithm>

namespace ambry::text {
namespace {

constexpr size_t kFirstSlots = 64;

uint32_t hash_of(std::span<const uint32_t> words) {
  uint64_t hash = words.size();
  for (const uint32_t word : words) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

}  // namespace

WordInterner::Interned WordInterner::intern(std::span<const uint32_t> words) {
  const uint32_t hash = hash_of(words);
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != kFree; slot = (slot + 1) & mask) {
    const uint32_t id = slots_[slot];
    if (hashes_[id] == hash && std::ranges::equal(this->words(id), words)) return {id, false};
  }
  const uint32_t id = size();
  slots_[slot] = id;
  words_.insert(words_.end(), words.begin(), words.end());
  begins_.push_back(static_cast<uint32_t>(words_.size()));
  hashes_.push_back(hash);
  if (size_t{2} * size() > slots_.size()) grow();
  return {id, true};
}

void WordInterner::clear() {
  words_.clear();
  begins_.assign(1, 0);
  hashes_.clear();
  slots_.assign(kFirstSlots, kFree);
}

void WordInterner::grow() {
  slots_.assign(slots_.size() * 2, kFree);
  const size_t mask = slots_.size() - 1;
  for (uint32_t id = 0; id < size(); ++id) {
    size_t slot = hashes_[id] & mask;
    while (slots_[slot] != kFree) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

}  // namespace ambry::text
