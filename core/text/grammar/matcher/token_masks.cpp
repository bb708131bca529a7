#include "text/grammar/matcher/token_masks.h"

#include <algorithm>

namespace ambry::text {
namespace {

// 20 KB each for a vocabulary of 150,000.
constexpr size_t kMaxMasks = 64;

void set_bit(std::vector<uint64_t>& words, uint32_t id) {
  words[id / 64] |= uint64_t{1} << id % 64;
}

}  // namespace

TokenMasks::TokenMasks(const TokenTrie& trie, std::span<const uint32_t> end_ids) : trie_(trie) {
  for (const uint32_t id : end_ids) {
    if (id < trie.n_tokens()) end_ids_.push_back(id);
  }
  path_.resize(trie.max_depth() + 1);
}

std::span<const uint64_t> TokenMasks::allowed(GrammarMatcher& matcher, State state) {
  const auto known = std::ranges::find(kept_, state, &Mask::state);
  if (known != kept_.end()) return known->words;
  if (kept_.size() < kMaxMasks) {
    oldest_ = kept_.size();
    kept_.emplace_back();
  } else {
    oldest_ = (oldest_ + 1) % kMaxMasks;
  }
  Mask& mask = kept_[oldest_];
  mask.state = state;
  fill(matcher, mask);
  return mask.words;
}

void TokenMasks::fill(GrammarMatcher& matcher, Mask& mask) {
  mask.words.assign((trie_.n_tokens() + 63) / 64, 0);
  path_[0] = mask.state;
  for (size_t node = 0; node < trie_.n_nodes();) {
    const size_t depth = trie_.depth(node);
    const State next = matcher.next(path_[depth], trie_.label(node));
    if (next == GrammarMatcher::kDead) {
      node = trie_.end(node);
      continue;
    }
    path_[depth + 1] = next;
    for (const uint32_t id : trie_.tokens(node)) set_bit(mask.words, id);
    ++node;
  }
  if (!matcher.can_end(mask.state)) return;
  for (const uint32_t id : end_ids_) set_bit(mask.words, id);
}

}  // namespace ambry::text
