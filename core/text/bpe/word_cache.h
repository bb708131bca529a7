// Caches the tokens of words. Its size is fixed: a word has two slots, and replaces the older word
// there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace ambry::text {

// Not thread-safe.
template <class Part>
class WordCache {
 public:
  static constexpr size_t kMaxWordBytes = 24;
  static constexpr size_t kMaxParts = 8;

  WordCache() : slots_(kSlots) {}

  // The parts of the word, or none when it is not cached.
  [[nodiscard]] std::span<const Part> find(std::string_view word) const {
    if (word.size() > kMaxWordBytes) return {};
    const size_t first = slot_of(word);
    for (const size_t at : {first, first + 1}) {
      const Slot& slot = slots_[at];
      if (slot.n_bytes != word.size() ||
          std::memcmp(slot.word.data(), word.data(), word.size()) != 0) {
        continue;
      }
      return std::span(slot.parts).first(slot.n_parts);
    }
    return {};
  }

  void store(std::string_view word, std::span<const Part> parts) {
    if (word.size() > kMaxWordBytes || parts.size() > kMaxParts) return;
    Slot& slot = slots_[slot_of(word)];
    if (slot.n_bytes > 0) slots_[slot_of(word) + 1] = slot;
    slot.n_bytes = static_cast<uint8_t>(word.size());
    slot.n_parts = static_cast<uint8_t>(parts.size());
    std::memcpy(slot.word.data(), word.data(), word.size());
    for (size_t i = 0; i < parts.size(); ++i) slot.parts[i] = parts[i];
  }

 private:
  static constexpr size_t kSlots = 1 << 13;

  struct Slot {
    std::array<char, kMaxWordBytes> word{};
    uint8_t n_bytes = 0;  // 0: free
    uint8_t n_parts = 0;
    std::array<Part, kMaxParts> parts{};
  };

  // The first of the two slots.
  static size_t slot_of(std::string_view word) {
    uint64_t hash = word.size();
    for (size_t i = 0; i < word.size(); i += sizeof(uint64_t)) {
      uint64_t chunk = 0;
      std::memcpy(&chunk, word.data() + i, std::min(word.size() - i, sizeof(uint64_t)));
      hash = (hash ^ chunk) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    }
    return static_cast<size_t>(hash) & (kSlots - 2);
  }

  std::vector<Slot> slots_;
};

}  // namespace ambry::text
