// A grammar as a recursive transition network: each rule is a nondeterministic automaton over
// bytes, in which an edge may be a call of another rule. Branches that cannot be completed are cut
// off, so every path leads to an end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/grammar/form/byte_set.h"
#include "text/grammar/form/grammar.h"

namespace ambry::text {

struct TransitionNetwork {
  enum class Kind : uint8_t { Dead, Return, Bytes, Split, Call };
  struct Node {
    Kind kind = Kind::Dead;
    uint32_t target = 0;  // Bytes: the set; Split: a node; Call: the rule
    uint32_t next = 0;    // the node after it; Split: the other node
  };
  static constexpr uint32_t kDead = 0;    // the node without a way on
  static constexpr uint32_t kReturn = 1;  // the end of every rule

  std::vector<Node> nodes;
  std::vector<uint32_t> starts;  // the first node of each rule; rule 0 is the whole answer
  std::vector<bool> nullable;    // whether a rule matches the empty text
  // Bytes that no set tells apart have the same class. `sets` are sets of classes.
  std::array<uint8_t, 256> class_of{};
  uint32_t n_classes = 1;
  std::vector<ByteSet> sets;

  // BadValue when the grammar matches no text, Unsupported for a rule that begins with itself,
  // LimitExceeded for a grammar that is too large. `path` is the path of errors.
  [[nodiscard]] static Result<TransitionNetwork> create(const Grammar& grammar,
                                                        std::string_view path);
};

}  // namespace ambry::text
