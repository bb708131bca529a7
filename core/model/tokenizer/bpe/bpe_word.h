// A word while its characters are merged into tokens. Pairs are merged by rank, and from the left
// when ranks are equal, in n log n steps.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tokenizer/bpe/merge_table.h"

namespace ambry::model {

// A token and the number of bytes that it covers.
struct BpePart {
  uint32_t id = 0;
  uint32_t n_bytes = 0;
};

class BpeWord {
 public:
  void clear() { symbols_.clear(); }
  void add(BpePart part);
  void merge(const MergeTable& merges);
  // Appends the remaining parts.
  void take(std::vector<BpePart>& out) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Symbol {
    BpePart part;  // no bytes: merged into the symbol before
    uint32_t previous = kNone;
    uint32_t next = kNone;
  };
  struct Candidate {
    uint32_t rank = 0;
    uint32_t at = 0;  // index of the left symbol
    uint32_t id = 0;
  };

  static bool is_later(const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
  }
  [[nodiscard]] const MergeTable::Merge* merge_at(const MergeTable& merges, uint32_t at) const;
  void push_candidate(const MergeTable& merges, uint32_t at);

  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
};

}  // namespace ambry::model
