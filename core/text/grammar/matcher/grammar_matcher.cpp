#include "text/grammar/matcher/grammar_matcher.h"

#include <array>
#include <utility>

namespace ambry::text {
namespace {

// 16 MB. A grammar of JSON has a few hundred states, which take 100 KB.
constexpr size_t kMaxWords = size_t{1} << 22;
// Steps of closures: a few seconds.
constexpr uint64_t kMaxWork = uint64_t{1} << 25;

}  // namespace

Result<GrammarMatcher> GrammarMatcher::create(const Grammar& grammar, std::string_view path) {
  AMBRY_TRY(TransitionNetwork network, TransitionNetwork::create(grammar, path));
  return GrammarMatcher(std::move(network));
}

GrammarMatcher::GrammarMatcher(TransitionNetwork network) : network_(std::move(network)) {
  clear();
  closure_.begin(network_, calls_);
  closure_.add(network_.starts[0], GrammarClosure::kWholeAnswer);
  start_ = intern_state(closure_.finish());
}

void GrammarMatcher::clear() {
  calls_.clear();
  states_.clear();
  ends_.clear();
  steps_.clear();
  work_ = 0;
  is_exhausted_ = false;
  constexpr std::array<uint32_t, 2> kNoCall = {GrammarClosure::kEnd, 0};
  calls_.intern(kNoCall);
  constexpr std::array<uint32_t, 1> kNoPlace = {0};
  static_cast<void>(intern_state(kNoPlace));
}

GrammarMatcher::State GrammarMatcher::next(State state, std::string_view bytes) {
  for (const char byte : bytes) {
    if (state == kDead) break;
    state = next(state, static_cast<uint8_t>(byte));
  }
  return state;
}

GrammarMatcher::State GrammarMatcher::step(State state, uint8_t byte_class) {
  if (n_words() > kMaxWords || work_ > kMaxWork) is_exhausted_ = true;
  if (is_exhausted_) return kDead;
  closure_.begin(network_, calls_);
  const std::span<const uint32_t> words = states_.words(state);
  std::array<bool, 256> differs{};  // classes that do not lead to the same state
  for (size_t i = 1; i < words.size(); i += 2) {
    const TransitionNetwork::Node& node = network_.nodes[words[i]];
    const ByteSet& set = network_.sets[node.target];
    const bool is_taken = set.has(byte_class);
    if (is_taken) closure_.add(node.next, words[i + 1]);
    for (unsigned other = 0; other < network_.n_classes; ++other) {
      if (set.has(static_cast<uint8_t>(other)) != is_taken) differs[other] = true;
    }
  }
  work_ += words.size() * (1 + network_.n_classes / 16);
  const State made = intern_state(closure_.finish());
  work_ += closure_.work();
  for (unsigned other = 0; other < network_.n_classes; ++other) {
    if (!differs[other]) steps_[size_t{state} * network_.n_classes + other] = made;
  }
  return made;
}

GrammarMatcher::State GrammarMatcher::intern_state(std::span<const uint32_t> words) {
  const WordInterner::Interned made = states_.intern(words);
  if (made.is_new) {
    ends_.push_back(words[0] != 0);
    steps_.resize(steps_.size() + network_.n_classes, made.id == kDead ? kDead : kUnknown);
  }
  return made.id;
}

size_t GrammarMatcher::n_words() const {
  return calls_.n_words() + states_.n_words() + steps_.size();
}

bool GrammarMatcher::is_half_full() const {
  return n_words() > kMaxWords / 2 || work_ > kMaxWork / 2;
}

GrammarMatcher::State GrammarMatcher::keep_only(State state) {
  const std::span<const uint32_t> kept = states_.words(state);
  std::vector<uint32_t> words(kept.begin(), kept.end());
  const WordInterner old_calls = std::exchange(calls_, {});
  clear();
  // Calls have larger numbers than those that they are made of.
  std::vector<bool> is_used(old_calls.size());
  for (size_t i = 2; i < words.size(); i += 2) is_used[words[i]] = true;
  for (uint32_t id = old_calls.size(); id-- > 1;) {
    const std::span<const uint32_t> entries = old_calls.words(id);
    for (size_t i = 0; is_used[id] && i < entries.size(); i += 2) is_used[entries[i + 1]] = true;
  }
  std::vector<uint32_t> new_ids(old_calls.size());
  for (uint32_t id = 1; id < old_calls.size(); ++id) {
    if (!is_used[id]) continue;
    const std::span<const uint32_t> old_entries = old_calls.words(id);
    std::vector<uint32_t> entries(old_entries.begin(), old_entries.end());
    for (size_t i = 1; i < entries.size(); i += 2) entries[i] = new_ids[entries[i]];
    new_ids[id] = calls_.intern(entries).id;
  }
  for (size_t i = 2; i < words.size(); i += 2) words[i] = new_ids[words[i]];
  start_ = kDead;
  return intern_state(words);
}

}  // namespace ambry::text
