#include "text/grammar/matcher/transition_network.h"

#include <utility>

#include "text/grammar/matcher/left_recursion.h"
#include "text/grammar/matcher/network_facts.h"

namespace ambry::text {
namespace {

using Expression = Grammar::Expression;
using Kind = TransitionNetwork::Kind;
using Node = TransitionNetwork::Node;

// Repetitions are spelled out, so a small grammar may become a large network.
constexpr size_t kMaxNodes = size_t{1} << 19;
// Parsers nest less deeply than this.
constexpr unsigned kMaxDepth = 1000;

// Makes the nodes of an expression from its end to its start.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(const Grammar& grammar) : grammar_(grammar) {
    network_.nodes = {{}, {.kind = Kind::Return}};
    network_.sets.assign(grammar.sets().begin(), grammar.sets().end());
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto value = static_cast<uint8_t>(byte);
      single_bytes_[byte] = static_cast<uint32_t>(network_.sets.size());
      network_.sets.emplace_back(value, value);
    }
  }

  Result<TransitionNetwork> build(std::string_view path) {
    for (Grammar::Rule rule = 0; rule < grammar_.n_rules(); ++rule) {
      network_.starts.push_back(add(grammar_.expression(rule), TransitionNetwork::kReturn, 0));
    }
    // Rules of repeated parts, which add() appends.
    for (size_t i = 0; i < repeated_.size(); ++i) {
      network_.starts.push_back(add(repeated_[i], TransitionNetwork::kReturn, 0));
    }
    if (is_too_large_ || grammar_.is_too_large()) {
      return make_error(ErrorCode::LimitExceeded, path,
                        "this form is too large; use fewer rules, words or repetitions");
    }
    return std::move(network_);
  }

 private:
  uint32_t add_node(Node node) {
    if (network_.nodes.size() >= kMaxNodes) is_too_large_ = true;
    if (is_too_large_) return TransitionNetwork::kDead;
    network_.nodes.push_back(node);
    return static_cast<uint32_t>(network_.nodes.size() - 1);
  }

  // Returns the first node of the expression, after which `next` comes.
  uint32_t add(Expression expression, uint32_t next, unsigned depth) {
    if (depth > kMaxDepth) is_too_large_ = true;
    if (is_too_large_) return TransitionNetwork::kDead;
    const Grammar::Item& item = grammar_.item(expression);
    switch (item.kind) {
      case Grammar::Kind::Nothing:
        return TransitionNetwork::kDead;
      case Grammar::Kind::Empty:
        return next;
      case Grammar::Kind::Bytes:
        return add_node({Kind::Bytes, item.a, next});
      case Grammar::Kind::Literal:
        return add_literal(grammar_.text(item), next);
      case Grammar::Kind::Sequence:
        for (size_t i = item.b; i-- > 0;) next = add(grammar_.parts(item)[i], next, depth + 1);
        return next;
      case Grammar::Kind::Choice:
        return add_choice(item, next, depth);
      case Grammar::Kind::Repeat:
        return add_repeat(item, next, depth);
      case Grammar::Kind::Rule:
        return add_node({Kind::Call, item.a, next});
      case Grammar::Kind::Automaton:
        return add_automaton(grammar_.automaton_of(item), next);
    }
    return TransitionNetwork::kDead;
  }

  uint32_t add_literal(std::string_view text, uint32_t next) {
    for (size_t i = text.size(); i-- > 0;) {
      next = add_node({Kind::Bytes, single_bytes_[static_cast<uint8_t>(text[i])], next});
    }
    return next;
  }

  uint32_t add_choice(const Grammar::Item& item, uint32_t next, unsigned depth) {
    uint32_t made = TransitionNetwork::kDead;
    for (size_t i = item.b; i-- > 0;) {
      const uint32_t first = add(grammar_.parts(item)[i], next, depth + 1);
      made = i + 1 == item.b ? first : add_node({Kind::Split, first, made});
    }
    return made;
  }

  uint32_t add_repeat(const Grammar::Item& item, uint32_t next, unsigned depth) {
    const bool is_endless = item.c == Grammar::kUnbounded;
    const uint64_t copies = is_endless ? uint64_t{item.b} + 1 : item.c;
    // A part that is repeated often becomes a rule, so that each copy is one node.
    constexpr uint64_t kFewCopies = 2;
    Expression part = item.a;
    const bool is_small = grammar_.item(part).kind == Grammar::Kind::Bytes ||
                          grammar_.item(part).kind == Grammar::Kind::Rule;
    const bool is_called = copies > kFewCopies && !is_small;
    const uint32_t rule = is_called ? repeated_rule(part) : 0;
    const auto add_copy = [&](uint32_t after) {
      return is_called ? add_node({Kind::Call, rule, after}) : add(part, after, depth + 1);
    };
    uint32_t made = next;
    if (is_endless) {
      made = add_node({Kind::Split, TransitionNetwork::kDead, next});
      const uint32_t body = add_copy(made);
      if (!is_too_large_) network_.nodes[made].target = body;
    } else {
      for (uint32_t i = item.b; i < item.c && !is_too_large_; ++i) {
        made = add_node({Kind::Split, add_copy(made), next});
      }
    }
    for (uint32_t i = 0; i < item.b && !is_too_large_; ++i) made = add_copy(made);
    return made;
  }

  // The node of each state comes first, because edges may lead anywhere.
  uint32_t add_automaton(const Grammar::Automaton& automaton, uint32_t next) {
    const auto first = static_cast<uint32_t>(network_.nodes.size());
    for (size_t i = 0; i < automaton.size(); ++i) {
      static_cast<void>(
          add_node({Kind::Split, TransitionNetwork::kDead, TransitionNetwork::kDead}));
    }
    for (uint32_t i = 0; i < automaton.size() && !is_too_large_; ++i) {
      uint32_t made = automaton[i].is_end ? next : TransitionNetwork::kDead;
      for (const Grammar::Edge& edge : automaton[i].edges) {
        made =
            add_node({Kind::Split, add_node({Kind::Bytes, edge.set, first + edge.target}), made});
      }
      if (!is_too_large_) network_.nodes[first + i].target = made;
    }
    return is_too_large_ ? TransitionNetwork::kDead : first;
  }

  uint32_t repeated_rule(Expression part) {
    repeated_.push_back(part);
    return static_cast<uint32_t>(grammar_.n_rules() + repeated_.size() - 1);
  }

  const Grammar& grammar_;
  TransitionNetwork network_;
  std::array<uint32_t, 256> single_bytes_{};
  std::vector<Expression> repeated_;
  bool is_too_large_ = false;
};

// Numbers the classes of bytes that the used sets tell apart, and writes the sets as sets of
// classes.
void classify_bytes(TransitionNetwork& network) {
  std::vector<bool> is_used(network.sets.size());
  for (const Node& node : network.nodes) {
    if (node.kind == Kind::Bytes) is_used[node.target] = true;
  }
  std::array<uint8_t, 256>& class_of = network.class_of;
  for (size_t i = 0; i < network.sets.size(); ++i) {
    if (!is_used[i]) continue;
    // Splits each class that has bytes in the set and bytes outside.
    std::array<int, 256> inside{};
    std::array<int, 256> outside{};
    inside.fill(-1);
    outside.fill(-1);
    int n = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      int& made =
          (network.sets[i].has(static_cast<uint8_t>(byte)) ? inside : outside)[class_of[byte]];
      if (made < 0) made = n++;
      class_of[byte] = static_cast<uint8_t>(made);
    }
    network.n_classes = static_cast<uint32_t>(n);
  }
  for (size_t i = 0; i < network.sets.size(); ++i) {
    ByteSet classes;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!network.sets[i].has(static_cast<uint8_t>(byte))) continue;
      classes.add(class_of[byte], class_of[byte]);
    }
    network.sets[i] = classes;
  }
}

// Cuts off the nodes that lead to no end. Afterwards a rule that matches nothing starts dead.
void prune(TransitionNetwork& network) {
  const std::vector<bool> completes = nodes_that_complete(network, PassBytes::Yes);
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    if (!completes[i]) network.nodes[i] = {};
  }
}

}  // namespace

Result<TransitionNetwork> TransitionNetwork::create(const Grammar& grammar, std::string_view path) {
  AMBRY_TRY(TransitionNetwork network, NetworkBuilder(grammar).build(path));
  const std::vector<bool> empty = nodes_that_complete(network, PassBytes::No);
  for (const uint32_t start : network.starts) network.nullable.push_back(empty[start]);
  AMBRY_RETURN_IF_ERROR(refuse_left_recursion(network, grammar, path));
  prune(network);
  if (network.nodes[network.starts[0]].kind == Kind::Dead) {
    return make_error(ErrorCode::BadValue, path, "no text has this form");
  }
  classify_bytes(network);
  return network;
}

}  // namespace ambry::text
