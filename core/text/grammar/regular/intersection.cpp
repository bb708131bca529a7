#include "text/grammar/regular/intersection.h"

#include <algorithm>
#include <utility>

#include "text/grammar/form/word_interner.h"

namespace ambry::text {
namespace {

// Leaves out the states from which no end can be reached. Empty when the start is one of them.
Grammar::Automaton trimmed(Grammar::Automaton automaton) {
  std::vector<std::vector<uint32_t>> before(automaton.size());
  std::vector<uint32_t> waiting;
  std::vector<bool> ends(automaton.size());
  for (uint32_t i = 0; i < automaton.size(); ++i) {
    for (const Grammar::Edge& edge : automaton[i].edges) before[edge.target].push_back(i);
    if (!automaton[i].is_end) continue;
    ends[i] = true;
    waiting.push_back(i);
  }
  while (!waiting.empty()) {
    const uint32_t state = waiting.back();
    waiting.pop_back();
    for (const uint32_t from : before[state]) {
      if (ends[from]) continue;
      ends[from] = true;
      waiting.push_back(from);
    }
  }
  if (!ends[0]) return {};
  std::vector<uint32_t> numbers(automaton.size());
  uint32_t n_kept = 0;
  for (size_t i = 0; i < automaton.size(); ++i) {
    if (ends[i]) numbers[i] = n_kept++;
  }
  for (size_t i = 0; i < automaton.size(); ++i) {
    if (!ends[i]) continue;
    Grammar::State kept;
    kept.is_end = automaton[i].is_end;
    for (const Grammar::Edge& edge : automaton[i].edges) {
      if (ends[edge.target]) kept.edges.push_back({edge.set, numbers[edge.target]});
    }
    automaton[numbers[i]] = std::move(kept);
  }
  automaton.resize(n_kept);
  return automaton;
}

}  // namespace

Result<void> Intersection::add(const Grammar& grammar, Belongs belongs) {
  auto matcher = GrammarMatcher::create(grammar, path_);
  if (matcher) {
    constexpr size_t kNodesOfAState = 16;
    cost_ += 1 + matcher->n_nodes() / kNodesOfAState;
    parts_.push_back({std::move(*matcher), belongs});
    return {};
  }
  if (matcher.error().code != ErrorCode::BadValue) return matcher.take_error();
  if (belongs == Belongs::Yes) is_empty_ = true;  // no text has this form
  return {};
}

bool Intersection::has(std::string_view text) {
  States states = start();
  for (const char byte : text) {
    if (is_empty_ || !advance(states, static_cast<uint8_t>(byte))) return false;
  }
  return !is_empty_ && can_end(states);
}

Failure Intersection::too_large() const {
  return make_error(ErrorCode::LimitExceeded, path_,
                    "the conditions on this value together are too large");
}

Result<Grammar::Expression> Intersection::build(Grammar& grammar, size_t& n_states_left) {
  if (is_empty_) return Grammar::kNothing;
  const std::vector<ByteClass> classes = byte_classes();
  WordInterner known;
  Grammar::Automaton automaton;
  known.intern(start());
  for (uint32_t i = 0; i < known.size(); ++i) {
    if (n_states_left == 0 || is_exhausted()) return too_large();
    --n_states_left;
    const std::span<const uint32_t> words = known.words(i);
    const States from(words.begin(), words.end());
    Grammar::State state;
    state.is_end = can_end(from);
    std::vector<std::pair<uint32_t, ByteSet>> ways;
    for (const ByteClass& bytes : classes) {
      States next = from;
      if (!advance(next, bytes.example)) continue;
      const uint32_t target = known.intern(next).id;
      auto way = std::ranges::find(ways, target, &std::pair<uint32_t, ByteSet>::first);
      if (way == ways.end()) way = ways.insert(way, {target, {}});
      way->second.add(bytes.bytes);
    }
    for (const auto& [target, set] : ways) state.edges.push_back({grammar.set_of(set), target});
    automaton.push_back(std::move(state));
  }
  automaton = trimmed(std::move(automaton));
  return automaton.empty() ? Grammar::kNothing : grammar.automaton(std::move(automaton));
}

std::vector<Intersection::ByteClass> Intersection::byte_classes() const {
  WordInterner known;
  std::vector<ByteClass> classes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto value = static_cast<uint8_t>(byte);
    States key;
    for (const Part& part : parts_) key.push_back(part.matcher.class_of(value));
    const WordInterner::Interned made = known.intern(key);
    if (made.is_new) classes.push_back({value, {}});
    classes[made.id].bytes.add(value, value);
  }
  return classes;
}

Intersection::States Intersection::start() const {
  States states;
  for (const Part& part : parts_) states.push_back(part.matcher.start());
  return states;
}

// False when no text that begins like this is in all languages.
bool Intersection::advance(States& states, uint8_t byte) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    states[i] = parts_[i].matcher.next(states[i], byte);
    if (states[i] == GrammarMatcher::kDead && parts_[i].belongs == Belongs::Yes) return false;
  }
  return true;
}

bool Intersection::can_end(const States& states) const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].matcher.can_end(states[i]) != (parts_[i].belongs == Belongs::Yes)) return false;
  }
  return true;
}

bool Intersection::is_exhausted() const {
  return std::ranges::any_of(parts_, [](const Part& p) { return p.matcher.is_exhausted(); });
}

}  // namespace ambry::text
