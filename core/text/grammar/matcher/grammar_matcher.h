// Follows a grammar byte by byte. The network of the grammar is nondeterministic and has a stack of
// calls. It is made deterministic while it is used: a state is the set of all places at which the
// text so far may be, each with the calls that are open there, and every state and every step is
// computed once. Equal sets are one state, so a loop in the grammar is a loop of states.
//
// Calls that are open at the same place of the text are shared as a graph, so ambiguous grammars
// take polynomial time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/form/word_interner.h"
#include "text/grammar/matcher/grammar_closure.h"
#include "text/grammar/matcher/transition_network.h"

namespace ambry::text {

class GrammarMatcher {
 public:
  // A plain number: to go back, use an earlier one.
  using State = uint32_t;
  static constexpr State kDead = 0;  // no text of the grammar begins like this

  // `path` is the path of errors: those of TransitionNetwork::create().
  [[nodiscard]] static Result<GrammarMatcher> create(const Grammar& grammar, std::string_view path);

  [[nodiscard]] State start() const { return start_; }
  [[nodiscard]] size_t n_nodes() const { return network_.nodes.size(); }
  // Bytes with the same number always lead to the same state.
  [[nodiscard]] uint8_t class_of(uint8_t byte) const { return network_.class_of[byte]; }
  // From every state but kDead some text leads to the end of the grammar. Past the limits of memory
  // and time the result is kDead, too, and is_exhausted() is set.
  [[nodiscard]] State next(State state, uint8_t byte) {
    const uint8_t byte_class = network_.class_of[byte];
    const State known = steps_[size_t{state} * network_.n_classes + byte_class];
    return known != kUnknown ? known : step(state, byte_class);
  }
  [[nodiscard]] State next(State state, std::string_view bytes);
  // Whether the text may end here.
  [[nodiscard]] bool can_end(State state) const { return ends_[state]; }
  // Whether any byte may follow.
  [[nodiscard]] bool can_go_on(State state) const { return states_.words(state).size() > 1; }

  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  // Whether half of a limit is reached. It is time for keep_only().
  [[nodiscard]] bool is_half_full() const;
  // Forgets all states but this one, which gets a new number.
  [[nodiscard]] State keep_only(State state);

 private:
  static constexpr State kUnknown = UINT32_MAX;

  explicit GrammarMatcher(TransitionNetwork network);

  void clear();
  [[nodiscard]] State step(State state, uint8_t byte_class);
  [[nodiscard]] State intern_state(std::span<const uint32_t> words);
  [[nodiscard]] size_t n_words() const;

  TransitionNetwork network_;
  State start_ = kDead;
  // The open calls at a place: pairs of the node to return to and the calls that are open there,
  // which have a smaller number. The first are those of the whole answer.
  WordInterner calls_;
  // States by number: 1 where the text may end or else 0, then pairs of a Bytes node and the calls
  // that are open there. kDead is the first.
  WordInterner states_;
  std::vector<bool> ends_;
  std::vector<State> steps_;  // n_classes for each state
  GrammarClosure closure_;
  uint64_t work_ = 0;  // since the last keep_only()
  bool is_exhausted_ = false;
};

}  // namespace ambry::text
