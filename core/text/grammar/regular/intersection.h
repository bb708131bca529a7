// Texts that belong to several regular languages, or do not belong to some: the deterministic
// automaton of what conditions on strings, keys and numbers allow together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/matcher/grammar_matcher.h"

namespace ambry::text {

enum class Belongs : uint8_t { No, Yes };

class Intersection {
 public:
  // Errors have this path.
  explicit Intersection(std::string path) : path_(std::move(path)) {}

  // Adds the language of a grammar: its first rule.
  [[nodiscard]] Result<void> add(const Grammar& grammar, Belongs belongs);
  // Whether one text is in it.
  [[nodiscard]] bool has(std::string_view text);
  // What it cost to make the languages, in states.
  [[nodiscard]] size_t cost() const { return cost_; }
  [[nodiscard]] Failure too_large() const;
  // The texts as an expression of `grammar`, kNothing when there is none. At least one language
  // must be one that texts belong to. Takes its states from `n_states_left`; LimitExceeded when
  // these are not enough.
  [[nodiscard]] Result<Grammar::Expression> build(Grammar& grammar, size_t& n_states_left);

 private:
  struct Part {
    GrammarMatcher matcher;
    Belongs belongs;
  };
  struct ByteClass {
    uint8_t example = 0;
    ByteSet bytes;
  };
  using States = std::vector<uint32_t>;  // one of each part

  [[nodiscard]] std::vector<ByteClass> byte_classes() const;
  [[nodiscard]] States start() const;
  [[nodiscard]] bool advance(States& states, uint8_t byte);
  [[nodiscard]] bool can_end(const States& states) const;
  [[nodiscard]] bool is_exhausted() const;

  std::string path_;
  std::vector<Part> parts_;
  bool is_empty_ = false;
  size_t cost_ = 0;
};

}  // namespace ambry::text
