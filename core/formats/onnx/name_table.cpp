#include "formats/onnx/name_table.h"

#include <algorithm>

namespace ambry::formats::onnx {
namespace {

constexpr size_t kFirstSlots = 64;

// FNV-1a.
uint32_t hash_name(std::string_view text) {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash ^ hash >> 15U;
}

// Grows by a quarter. Doubling would hold up to three times the bytes while they are moved.
template <class List>
void reserve_a_little_more(List& list, size_t more) {
  if (list.capacity() - list.size() >= more) return;
  list.reserve(list.size() + std::max(more, list.size() / 4 + 16));
}

}  // namespace

NameTable::NameTable() : begins_{0, 0}, slots_(kFirstSlots, kNoName) {}

size_t NameTable::slot_of(std::string_view text) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_name(text) & mask;
  while (slots_[slot] != kNoName && (*this)[slots_[slot]] != text) slot = (slot + 1) & mask;
  return slot;
}

NameId NameTable::find(std::string_view text) const {
  return text.empty() ? kNoName : slots_[slot_of(text)];
}

bool NameTable::has_room_for(std::string_view text) const {
  return begins_.size() < UINT32_MAX && text.size() < UINT32_MAX - characters_.size();
}

NameId NameTable::add(std::string_view text) {
  if (text.empty()) return kNoName;
  size_t slot = slot_of(text);
  if (slots_[slot] != kNoName) return slots_[slot];
  if (size_t{size()} * 4 >= slots_.size() * 3) {
    grow();
    slot = slot_of(text);
  }
  const NameId id = size();
  reserve_a_little_more(characters_, text.size());
  reserve_a_little_more(begins_, 1);
  characters_ += text;
  begins_.push_back(static_cast<uint32_t>(characters_.size()));
  slots_[slot] = id;
  return id;
}

void NameTable::grow() {
  slots_ = std::vector<NameId>();
  size_t n_slots = kFirstSlots;
  while (n_slots < size_t{size()} * 2) n_slots *= 2;
  slots_.assign(n_slots, kNoName);
  const size_t mask = n_slots - 1;
  for (NameId id = 1; id < size(); ++id) {
    size_t slot = hash_name((*this)[id]) & mask;
    while (slots_[slot] != kNoName) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

}  // namespace ambry::formats::onnx
