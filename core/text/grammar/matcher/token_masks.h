// The tokens that may come next, as a bitset, for each state of a grammar. The mask of a state is
// computed by a walk over a trie of tokens and kept, because answers come back to the same
// states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "text/grammar/matcher/grammar_matcher.h"
#include "text/grammar/matcher/token_index.h"

namespace ambry::text {

class TokenMasks {
 public:
  using State = GrammarMatcher::State;

  // `end_ids` may come where the text may end. `tokens` must outlive this.
  TokenMasks(const TokenIndex& tokens, std::span<const uint32_t> end_ids);

  // Bit i % 64 of word i / 64 is set when token i may come. Valid until the next call.
  [[nodiscard]] std::span<const uint64_t> allowed(GrammarMatcher& matcher, State state);
  // Call when the numbers of states have changed.
  void clear() { kept_.clear(); }

 private:
  struct Mask {
    State state = GrammarMatcher::kDead;
    std::vector<uint64_t> words;
  };

  void fill(GrammarMatcher& matcher, Mask& mask);
  void walk(GrammarMatcher& matcher, const TokenTrie& trie, Mask& mask);

  const TokenIndex& tokens_;
  std::vector<uint32_t> end_ids_;
  std::vector<Mask> kept_;
  size_t oldest_ = 0;
  std::vector<State> path_;  // the states before each byte of a token
};

}  // namespace ambry::text
