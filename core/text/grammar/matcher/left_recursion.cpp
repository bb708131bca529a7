#include "text/grammar/matcher/left_recursion.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ambry::text {
namespace {

using Kind = TransitionNetwork::Kind;
using Node = TransitionNetwork::Node;

// The rules that each rule can begin with, before it has read a byte.
class FirstCalls {
 public:
  explicit FirstCalls(const TransitionNetwork& network)
      : network_(network), is_seen_(network.nodes.size()) {}

  // No two rules share a node except the ends, so all calls together take linear time.
  std::vector<uint32_t> of(uint32_t rule) {
    std::vector<uint32_t> calls;
    std::vector<uint32_t> open;
    const auto visit = [&](uint32_t node) {
      if (is_seen_[node]) return;
      is_seen_[node] = true;
      open.push_back(node);
    };
    visit(network_.starts[rule]);
    while (!open.empty()) {
      const Node node = network_.nodes[open.back()];
      open.pop_back();
      if (node.kind == Kind::Split) {
        visit(node.target);
        visit(node.next);
      } else if (node.kind == Kind::Call) {
        calls.push_back(node.target);
        if (network_.nullable[node.target]) visit(node.next);
      }
    }
    return calls;
  }

 private:
  const TransitionNetwork& network_;
  std::vector<bool> is_seen_;
};

// The rules from the first `rule` on, with names. Rules of repeated parts have none.
std::string circle_text(const std::vector<uint32_t>& trail, uint32_t rule, const Grammar& grammar) {
  constexpr size_t kMaxShown = 8;
  std::string text;
  size_t n_shown = 0;
  for (auto at = std::ranges::find(trail, rule); at != trail.end(); ++at) {
    if (*at >= grammar.n_rules()) continue;
    if (++n_shown > kMaxShown) return text + " → …";
    text += (text.empty() ? "" : " → ") + grammar.name(*at);
  }
  return rule < grammar.n_rules() ? text + " → " + grammar.name(rule) : text;
}

}  // namespace

Result<void> refuse_left_recursion(const TransitionNetwork& network, const Grammar& grammar,
                                   std::string_view path) {
  enum class State : uint8_t { New, Open, Done };
  const size_t n_rules = network.starts.size();
  FirstCalls first_calls(network);
  std::vector<std::vector<uint32_t>> calls(n_rules);
  for (uint32_t rule = 0; rule < n_rules; ++rule) calls[rule] = first_calls.of(rule);
  std::vector<State> states(n_rules, State::New);
  std::vector<uint32_t> trail;
  for (uint32_t root = 0; root < n_rules; ++root) {
    if (states[root] == State::New) trail.push_back(root);
    while (!trail.empty()) {
      const uint32_t rule = trail.back();
      states[rule] = State::Open;
      if (calls[rule].empty()) {
        states[rule] = State::Done;
        trail.pop_back();
        continue;
      }
      const uint32_t called = calls[rule].back();
      calls[rule].pop_back();
      if (states[called] == State::New) trail.push_back(called);
      if (states[called] != State::Open) continue;
      return make_error(ErrorCode::Unsupported, path,
                        {"a rule begins with itself: ", circle_text(trail, called, grammar),
                         "; write it with a repetition instead"});
    }
  }
  return {};
}

}  // namespace ambry::text
