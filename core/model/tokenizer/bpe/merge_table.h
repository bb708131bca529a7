// Pairs of tokens that merge into another token, with their ranks. Open addressing, 16 bytes a
// slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ambry::model {

class MergeTable {
 public:
  struct Merge {
    uint32_t rank = 0;
    uint32_t id = 0;  // the merged token
  };

  explicit MergeTable(size_t n_merges) {
    size_t size = 2;
    while (size < 2 * n_merges) size *= 2;
    slots_.resize(size);
  }

  // Adds a pair, or gives a known pair the new rank.
  void set(uint32_t left, uint32_t right, Merge merge) {
    Slot& slot = slots_[slot_of(key_of(left, right))];
    slot = {key_of(left, right), merge};
  }
  // Returns nullptr for an unknown pair.
  [[nodiscard]] const Merge* find(uint32_t left, uint32_t right) const {
    const Slot& slot = slots_[slot_of(key_of(left, right))];
    return slot.key == kFree ? nullptr : &slot.merge;
  }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;  // no id is UINT32_MAX
  struct Slot {
    uint64_t key = kFree;
    Merge merge;
  };

  static uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32U | right; }

  [[nodiscard]] size_t slot_of(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    auto slot = static_cast<size_t>((key * 0x9E3779B97F4A7C15U) >> 32U) & mask;
    while (slots_[slot].key != key && slots_[slot].key != kFree) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace ambry::model
