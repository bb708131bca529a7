// A context-free grammar over bytes: rules, each with an expression. Every form that an answer can
// keep to becomes such a grammar. Expressions are numbers that the grammar gives out. An expression
// can be part of several others, but it is copied into each of them; a rule is not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/grammar/form/byte_set.h"

namespace ambry::text {

class Grammar {
 public:
  using Expression = uint32_t;
  using Rule = uint32_t;

  static constexpr uint32_t kUnbounded = UINT32_MAX;
  static constexpr Expression kNothing = 0;  // matches no text
  static constexpr Expression kEmpty = 1;    // matches the empty text

  enum class Kind : uint8_t {
    Nothing,
    Empty,
    Bytes,
    Literal,
    Sequence,
    Choice,
    Repeat,
    Rule,
    Automaton
  };
  struct Item {
    Kind kind = Kind::Nothing;
    // Bytes: the set; Literal, Sequence, Choice: the first; Repeat, Rule, Automaton: of what
    uint32_t a = 0;
    uint32_t b = 0;  // Literal, Sequence, Choice: how many; Repeat: the least
    uint32_t c = 0;  // Repeat: the most
  };

  // A deterministic automaton. Its first state is the start.
  struct Edge {
    uint32_t set = 0;  // as set_of() numbers it
    uint32_t target = 0;
  };
  struct State {
    std::vector<Edge> edges;
    bool is_end = false;
  };
  using Automaton = std::vector<State>;

  Grammar();

  [[nodiscard]] Expression literal(std::string_view bytes);
  [[nodiscard]] Expression bytes(const ByteSet& set);
  [[nodiscard]] Expression bytes(char first, char last);
  [[nodiscard]] Expression sequence(std::span<const Expression> parts);
  [[nodiscard]] Expression sequence(std::initializer_list<Expression> parts) {
    return sequence(std::span(parts.begin(), parts.size()));
  }
  [[nodiscard]] Expression choice(std::span<const Expression> parts);
  [[nodiscard]] Expression choice(std::initializer_list<Expression> parts) {
    return choice(std::span(parts.begin(), parts.size()));
  }
  // least <= most, which may be kUnbounded.
  [[nodiscard]] Expression repeat(Expression part, uint32_t least, uint32_t most);
  [[nodiscard]] Expression optional(Expression part) { return repeat(part, 0, 1); }

  // The texts of an automaton, whose edges have sets of this grammar.
  [[nodiscard]] uint32_t set_of(const ByteSet& set);
  [[nodiscard]] Expression automaton(Automaton automaton);

  // The first rule that is added is the whole answer. A rule must be defined before the grammar is
  // used; until then it matches nothing. Names are for messages.
  [[nodiscard]] Rule add_rule(std::string_view name);
  void define(Rule rule, Expression expression) { rules_[rule].expression = expression; }
  [[nodiscard]] Expression reference(Rule rule);

  [[nodiscard]] const Item& item(Expression expression) const { return items_[expression]; }
  [[nodiscard]] std::span<const Expression> parts(const Item& item) const {
    return std::span(parts_).subspan(item.a, item.b);
  }
  [[nodiscard]] std::string_view text(const Item& literal) const {
    return std::string_view(text_).substr(literal.a, literal.b);
  }
  [[nodiscard]] std::span<const ByteSet> sets() const { return sets_; }
  [[nodiscard]] const Automaton& automaton_of(const Item& item) const { return automata_[item.a]; }
  [[nodiscard]] size_t n_rules() const { return rules_.size(); }
  [[nodiscard]] const std::string& name(Rule rule) const { return rules_[rule].name; }
  [[nodiscard]] Expression expression(Rule rule) const { return rules_[rule].expression; }
  // Whether more was added than the grammar takes. What was added since is missing.
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }

 private:
  struct NamedRule {
    std::string name;
    Expression expression = kNothing;
  };

  [[nodiscard]] Expression add(const Item& item, size_t more = 0);
  [[nodiscard]] Expression join(Kind kind, std::span<const Expression> parts);

  std::vector<Item> items_;
  std::vector<Expression> parts_;
  std::string text_;
  std::vector<ByteSet> sets_;
  std::vector<Automaton> automata_;
  size_t n_edges_ = 0;
  std::vector<NamedRule> rules_;
  bool is_too_large_ = false;
};

}  // namespace ambry::text
