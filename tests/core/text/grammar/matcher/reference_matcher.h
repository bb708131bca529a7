// Tells whether a grammar has a text, in the plainest way: which positions of the text an
// expression can lead to from a position. It knows nothing of networks, stacks and states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "text/grammar/form/grammar.h"

namespace ambry::text::testing {

class ReferenceMatcher {
 public:
  ReferenceMatcher(const Grammar& grammar, std::string_view text)
      : grammar_(grammar), text_(text) {}

  bool matches() { return ends_of_rule(0, 0).contains(text_.size()); }

 private:
  using Positions = std::set<size_t>;

  // Rules do not begin with themselves, so no call is made within an equal one.
  const Positions& ends_of_rule(Grammar::Rule rule, size_t begin) {
    const auto key = std::pair(rule, begin);
    const auto known = rules_.find(key);
    if (known != rules_.end()) return known->second;
    Positions ends = ends_of(grammar_.expression(rule), begin);
    return rules_[key] = std::move(ends);
  }

  Positions ends_of(Grammar::Expression expression, size_t begin) {
    const Grammar::Item& item = grammar_.item(expression);
    switch (item.kind) {
      case Grammar::Kind::Nothing:
        return {};
      case Grammar::Kind::Empty:
        return {begin};
      case Grammar::Kind::Bytes: {
        const bool fits =
            begin < text_.size() && grammar_.sets()[item.a].has(static_cast<uint8_t>(text_[begin]));
        return fits ? Positions{begin + 1} : Positions{};
      }
      case Grammar::Kind::Literal: {
        const std::string_view literal = grammar_.text(item);
        const bool fits = text_.substr(begin).starts_with(literal);
        return fits ? Positions{begin + literal.size()} : Positions{};
      }
      case Grammar::Kind::Sequence: {
        Positions ends = {begin};
        for (const Grammar::Expression part : grammar_.parts(item)) ends = step(part, ends);
        return ends;
      }
      case Grammar::Kind::Choice: {
        Positions ends;
        for (const Grammar::Expression part : grammar_.parts(item))
          ends.merge(ends_of(part, begin));
        return ends;
      }
      case Grammar::Kind::Repeat:
        return ends_of_repeat(item, begin);
      case Grammar::Kind::Rule:
        return ends_of_rule(item.a, begin);
      case Grammar::Kind::Automaton:
        return ends_of_automaton(grammar_.automaton_of(item), begin);
    }
    return {};
  }

  Positions ends_of_automaton(const Grammar::Automaton& automaton, size_t begin) {
    Positions ends;
    uint32_t state = 0;
    for (size_t at = begin;; ++at) {
      if (automaton[state].is_end) ends.insert(at);
      const auto& edges = automaton[state].edges;
      const auto edge = std::ranges::find_if(edges, [&](const Grammar::Edge& e) {
        return at < text_.size() && grammar_.sets()[e.set].has(static_cast<uint8_t>(text_[at]));
      });
      if (edge == edges.end()) return ends;
      state = edge->target;
    }
  }

  Positions step(Grammar::Expression part, const Positions& from) {
    Positions ends;
    for (const size_t position : from) ends.merge(ends_of(part, position));
    return ends;
  }

  Positions ends_of_repeat(const Grammar::Item& item, size_t begin) {
    Positions now = {begin};
    for (uint32_t i = 0; i < item.b; ++i) now = step(item.a, now);
    Positions all = now;
    for (uint32_t i = item.b; i < item.c; ++i) {
      Positions next = step(item.a, now);
      for (const size_t position : all) next.erase(position);
      if (next.empty()) break;
      all.insert(next.begin(), next.end());
      now = std::move(next);
    }
    return all;
  }

  const Grammar& grammar_;
  std::string_view text_;
  std::map<std::pair<Grammar::Rule, size_t>, Positions> rules_;
};

}  // namespace ambry::text::testing
