#include "text/grammar/form/grammar.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ambry::text {
namespace {

// Items, parts of items, bytes of literals, edges and rules together. A schema of 100 KB has a
// tenth.
constexpr size_t kMaxSize = size_t{1} << 20;

}  // namespace

Grammar::Grammar() { items_ = {{}, {.kind = Kind::Empty}}; }

Grammar::Expression Grammar::add(const Item& item, size_t more) {
  if (items_.size() + parts_.size() + text_.size() + n_edges_ + more >= kMaxSize)
    is_too_large_ = true;
  if (is_too_large_) return kNothing;
  items_.push_back(item);
  return static_cast<Expression>(items_.size() - 1);
}

Grammar::Expression Grammar::literal(std::string_view bytes) {
  if (bytes.empty()) return kEmpty;
  const auto begin = static_cast<uint32_t>(text_.size());
  const auto size = static_cast<uint32_t>(bytes.size());
  const Expression made = add({.kind = Kind::Literal, .a = begin, .b = size}, bytes.size());
  if (!is_too_large_) text_ += bytes;
  return made;
}

uint32_t Grammar::set_of(const ByteSet& set) {
  // Few sets are used very often, and they were used last.
  constexpr size_t kLookBack = 64;
  for (size_t i = sets_.size(); i > 0 && i + kLookBack > sets_.size(); --i) {
    if (sets_[i - 1] == set) return static_cast<uint32_t>(i - 1);
  }
  if (sets_.size() >= kMaxSize) is_too_large_ = true;
  if (is_too_large_) return 0;
  sets_.push_back(set);
  return static_cast<uint32_t>(sets_.size() - 1);
}

Grammar::Expression Grammar::bytes(const ByteSet& set) {
  return set.is_empty() ? kNothing : add({.kind = Kind::Bytes, .a = set_of(set)});
}

Grammar::Expression Grammar::automaton(Automaton automaton) {
  size_t n_edges = automaton.size();
  for (const State& state : automaton) n_edges += state.edges.size();
  const auto at = static_cast<uint32_t>(automata_.size());
  const Expression made = add({.kind = Kind::Automaton, .a = at}, n_edges);
  n_edges_ += n_edges;
  if (!is_too_large_) automata_.push_back(std::move(automaton));
  return made;
}

Grammar::Expression Grammar::bytes(char first, char last) {
  return bytes(ByteSet(static_cast<uint8_t>(first), static_cast<uint8_t>(last)));
}

Grammar::Expression Grammar::join(Kind kind, std::span<const Expression> parts) {
  const auto begin = static_cast<uint32_t>(parts_.size());
  const auto count = static_cast<uint32_t>(parts.size());
  const Expression made = add({.kind = kind, .a = begin, .b = count}, parts.size());
  if (!is_too_large_) parts_.insert(parts_.end(), parts.begin(), parts.end());
  return made;
}

Grammar::Expression Grammar::sequence(std::span<const Expression> parts) {
  std::vector<Expression> kept;
  for (const Expression part : parts) {
    if (part == kNothing) return kNothing;
    if (part != kEmpty) kept.push_back(part);
  }
  if (kept.empty()) return kEmpty;
  return kept.size() == 1 ? kept[0] : join(Kind::Sequence, kept);
}

Grammar::Expression Grammar::choice(std::span<const Expression> parts) {
  std::vector<Expression> kept;
  for (const Expression part : parts) {
    if (part != kNothing) kept.push_back(part);
  }
  if (kept.empty()) return kNothing;
  return kept.size() == 1 ? kept[0] : join(Kind::Choice, kept);
}

Grammar::Expression Grammar::repeat(Expression part, uint32_t least, uint32_t most) {
  assert(least <= most);
  if (most == 0 || part == kEmpty) return kEmpty;
  if (part == kNothing) return least == 0 ? kEmpty : kNothing;
  if (least == 1 && most == 1) return part;
  return add({.kind = Kind::Repeat, .a = part, .b = least, .c = most});
}

Grammar::Rule Grammar::add_rule(std::string_view name) {
  rules_.push_back({std::string(name), kNothing});
  return static_cast<Rule>(rules_.size() - 1);
}

Grammar::Expression Grammar::reference(Rule rule) { return add({.kind = Kind::Rule, .a = rule}); }

}  // namespace ambry::text
