#include "model/tokenizer/bpe/bpe_word.h"

#include <algorithm>

namespace ambry::model {

void BpeWord::add(BpePart part) {
  const auto at = static_cast<uint32_t>(symbols_.size());
  if (at > 0) symbols_.back().next = at;
  symbols_.push_back({part, at > 0 ? at - 1 : kNone, kNone});
}

const MergeTable::Merge* BpeWord::merge_at(const MergeTable& merges, uint32_t at) const {
  const Symbol& left = symbols_[at];
  if (left.next == kNone) return nullptr;
  return merges.find(left.part.id, symbols_[left.next].part.id);
}

void BpeWord::push_candidate(const MergeTable& merges, uint32_t at) {
  const MergeTable::Merge* merge = merge_at(merges, at);
  if (merge != nullptr) heap_.push_back({merge->rank, at, merge->id});
}

void BpeWord::merge(const MergeTable& merges) {
  heap_.clear();
  for (uint32_t at = 0; at + 1 < symbols_.size(); ++at) push_candidate(merges, at);
  std::make_heap(heap_.begin(), heap_.end(), is_later);
  const auto push_neighbours = [&](uint32_t at) {
    const size_t before = heap_.size();
    push_candidate(merges, at);
    if (heap_.size() != before) std::push_heap(heap_.begin(), heap_.end(), is_later);
  };
  while (!heap_.empty()) {
    const Candidate next = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    heap_.pop_back();
    // One of the two may have been merged in the meantime.
    Symbol& left = symbols_[next.at];
    const MergeTable::Merge* merge = left.part.n_bytes == 0 ? nullptr : merge_at(merges, next.at);
    if (merge == nullptr || merge->id != next.id) continue;
    Symbol& right = symbols_[left.next];
    left.part = {next.id, left.part.n_bytes + right.part.n_bytes};
    right.part.n_bytes = 0;
    left.next = right.next;
    if (left.next != kNone) symbols_[left.next].previous = next.at;
    if (left.previous != kNone) push_neighbours(left.previous);
    push_neighbours(next.at);
  }
}

void BpeWord::take(std::vector<BpePart>& out) const {
  if (symbols_.empty()) return;
  for (uint32_t at = 0; at != kNone; at = symbols_[at].next) out.push_back(symbols_[at].part);
}

}  // namespace ambry::model
