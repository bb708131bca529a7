#include "text/grammar/matcher/grammar_closure.h"

#include <array>

#include "base/order.h"

namespace ambry::text {

using Kind = TransitionNetwork::Kind;
using Node = TransitionNetwork::Node;

void GrammarClosure::begin(const TransitionNetwork& network, WordInterner& calls) {
  network_ = &network;
  calls_ = &calls;
  frame_ids_.clear();
  frames_.clear();
  visited_.clear();
  places_.clear();
  can_end_ = false;
  work_ = 0;
}

uint32_t GrammarClosure::frame_of(uint32_t kind, uint32_t value) {
  const WordInterner::Interned made = frame_ids_.intern(std::array{kind, value});
  if (made.is_new) {
    frames_.emplace_back();
    frames_.back().is_new = kind == kNew;
    if (kind == kOld) frames_.back().calls = value;
  }
  return made.id;
}

void GrammarClosure::visit(uint32_t node, uint32_t frame) {
  visited_.intern(std::array{node, frame});
}

std::span<const uint32_t> GrammarClosure::finish() {
  for (uint32_t i = 0; i < visited_.size(); ++i) {
    const std::span<const uint32_t> place = visited_.words(i);
    follow(place[0], place[1]);
  }
  work_ += visited_.size();
  for (Pair& place : places_) {
    resolve(place.second);
    place.second = frames_[place.second].calls;
  }
  sort_pairs(places_);
  words_.assign(1, can_end_ ? 1 : 0);
  for (const auto& [node, calls] : places_) {
    words_.push_back(node);
    words_.push_back(calls);
  }
  return words_;
}

void GrammarClosure::follow(uint32_t at, uint32_t frame) {
  const Node& node = network_->nodes[at];
  switch (node.kind) {
    case Kind::Dead:
      return;
    case Kind::Bytes:
      places_.emplace_back(at, frame);
      return;
    case Kind::Split:
      visit(node.target, frame);
      visit(node.next, frame);
      return;
    case Kind::Call:
      return follow_call(node, frame);
    case Kind::Return:
      return follow_return(frame);
  }
}

void GrammarClosure::follow_call(const Node& node, uint32_t frame) {
  const size_t n_before = frames_.size();
  const uint32_t called = frame_of(kNew, node.target);
  frames_[called].callers.emplace_back(node.next, frame);
  if (frames_.size() > n_before) visit(network_->starts[node.target], called);
  if (network_->nullable[node.target]) visit(node.next, frame);
}

// The end of a frame that began at this place needs no step: its rule is nullable, so its callers
// went on when they called it.
void GrammarClosure::follow_return(uint32_t frame) {
  if (frames_[frame].is_new) return;
  const std::span<const uint32_t> entries = calls_->words(frames_[frame].calls);
  work_ += entries.size();
  for (size_t i = 0; i < entries.size(); i += 2) {
    if (entries[i] == kEnd) {
      can_end_ = true;
    } else {
      visit(entries[i], frame_of(kOld, entries[i + 1]));
    }
  }
}

// Numbers the calls of a frame after those of its callers. No rule begins with itself, so they form
// no circle.
void GrammarClosure::resolve(uint32_t frame) {
  std::vector<uint32_t> open = {frame};
  while (!open.empty()) {
    Frame& top = frames_[open.back()];
    if (top.calls == kUnresolved && top.n_resolved < top.callers.size()) {
      open.push_back(top.callers[top.n_resolved++].second);
      continue;
    }
    if (top.calls == kUnresolved) number_calls(top);
    open.pop_back();
  }
}

void GrammarClosure::number_calls(Frame& frame) {
  std::vector<Pair> entries;
  for (const auto& [node, caller] : frame.callers) {
    const uint32_t calls = frames_[caller].calls;
    if (node != TransitionNetwork::kReturn) {
      entries.emplace_back(node, calls);
      continue;
    }
    // The caller has nothing left to do, so the rule returns to the caller's callers. Without this
    // a list that is written by recursion would open one more call with each item.
    const std::span<const uint32_t> callers = calls_->words(calls);
    for (size_t i = 0; i < callers.size(); i += 2) entries.emplace_back(callers[i], callers[i + 1]);
  }
  sort_pairs(entries);
  std::vector<uint32_t> words;
  for (const auto& [node, calls] : entries) {
    words.push_back(node);
    words.push_back(calls);
  }
  frame.calls = calls_->intern(words).id;
}

// Sorts pairs, and drops repeated ones.
void GrammarClosure::sort_pairs(std::vector<Pair>& pairs) {
  work_ += pairs.size();
  if (pairs.size() < 2) return;
  sort_items(pairs, [](const Pair& a, const Pair& b) { return a < b; });
  size_t kept = 1;
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i] != pairs[i - 1]) pairs[kept++] = pairs[i];
  }
  pairs.resize(kept);
}

}  // namespace ambry::text
