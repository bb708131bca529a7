// All places of a network that a text has reached: from given nodes on, every node that is reached
// without a further byte. A rule that is called several times at this place of the text is entered
// once, and knows all its callers.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "text/grammar/form/word_interner.h"
#include "text/grammar/matcher/transition_network.h"

namespace ambry::text {

class GrammarClosure {
 public:
  // The calls that are open in the rule of the whole answer, and the node that it returns to.
  static constexpr uint32_t kWholeAnswer = 0;
  static constexpr uint32_t kEnd = UINT32_MAX;

  // Begins a new closure. `calls` has the open calls so far, as in GrammarMatcher. New ones are
  // added. Both must outlive finish().
  void begin(const TransitionNetwork& network, WordInterner& calls);
  // Adds a node that is reached with these calls open.
  void add(uint32_t node, uint32_t calls) { visit(node, frame_of(kOld, calls)); }
  // The words of the state, as in GrammarMatcher.
  [[nodiscard]] std::span<const uint32_t> finish();
  // The steps of the last closure.
  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  static constexpr uint32_t kOld = 0;  // the frame was entered by an earlier byte
  static constexpr uint32_t kNew = 1;
  static constexpr uint32_t kUnresolved = UINT32_MAX;

  using Pair = std::pair<uint32_t, uint32_t>;

  // A rule that is open. All its places share its callers.
  struct Frame {
    bool is_new = false;
    uint32_t calls = kUnresolved;  // its number in calls_
    std::vector<Pair> callers;     // of a new frame: the node to return to, and its frame
    size_t n_resolved = 0;         // of its callers
  };

  [[nodiscard]] uint32_t frame_of(uint32_t kind, uint32_t value);
  void visit(uint32_t node, uint32_t frame);
  void follow(uint32_t at, uint32_t frame);
  void follow_call(const TransitionNetwork::Node& node, uint32_t frame);
  void follow_return(uint32_t frame);
  void resolve(uint32_t frame);
  void number_calls(Frame& frame);
  void sort_pairs(std::vector<Pair>& pairs);

  const TransitionNetwork* network_ = nullptr;
  WordInterner* calls_ = nullptr;
  WordInterner frame_ids_;  // by kind and value
  std::vector<Frame> frames_;
  WordInterner visited_;      // pairs of a node and a frame
  std::vector<Pair> places_;  // Bytes nodes and their frames
  bool can_end_ = false;
  uint64_t work_ = 0;
  std::vector<uint32_t> words_;
};

}  // namespace ambry::text
