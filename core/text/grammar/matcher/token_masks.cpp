#include "text/grammar/matcher/token_masks.h"

#include <algorithm>

#include "text/grammar/matcher/plain_text.h"

namespace ambry::text {
namespace {

// 20 KB each for a vocabulary of 150,000.
constexpr size_t kMaxMasks = 64;

void set_bit(std::vector<uint64_t>& words, uint32_t id) {
  words[id / 64] |= uint64_t{1} << id % 64;
}

}  // namespace

TokenMasks::TokenMasks(const TokenIndex& tokens, std::span<const uint32_t> end_ids)
    : tokens_(tokens), path_(tokens.all().max_depth() + 1) {
  for (const uint32_t id : end_ids) {
    if (id < tokens.texts().n_tokens()) end_ids_.push_back(id);
  }
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
  if (allows_plain_text(matcher, mask.state)) {
    mask.words = tokens_.plain();
    walk(matcher, tokens_.not_plain(), mask);
  } else {
    mask.words.assign(tokens_.plain().size(), 0);
    walk(matcher, tokens_.all(), mask);
  }
  if (!matcher.can_end(mask.state)) return;
  for (const uint32_t id : end_ids_) set_bit(mask.words, id);
}

void TokenMasks::walk(GrammarMatcher& matcher, const TokenTrie& trie, Mask& mask) {
  path_[0] = mask.state;
  for (size_t node = 0; node < trie.n_nodes();) {
    const size_t depth = trie.depth(node);
    const State next = matcher.next(path_[depth], trie.label(node));
    if (next == GrammarMatcher::kDead) {
      node = trie.end(node);
      continue;
    }
    path_[depth + 1] = next;
    for (const uint32_t id : trie.tokens(node)) set_bit(mask.words, id);
    ++node;
  }
}

}  // namespace ambry::text
