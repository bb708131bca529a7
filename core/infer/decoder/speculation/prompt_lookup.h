// Prompt lookup decoding (A. Saxena, 2023): if the last few tokens occurred before, the answer may
// go on as it did then. The tokens that followed are a draft. One pass computes the logits after
// each of them, and the sampler keeps those that it would have chosen anyway.
//
// A wrong draft costs time. So drafts grow while they are right. After one that did not pay, there
// is none for a while, and longer each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::infer {

struct PromptLookupOptions {
  size_t num_tokens = 0;               // the most tokens in a draft; 0: off
  size_t max_matching_ngram_size = 3;  // the most tokens that are looked up
  double token_cost = 0.5;             // of a token of a draft, as a share of a pass without one
};

// More cannot be taken back from a sliding window (DecoderState::can_truncate()).
inline constexpr size_t kMaxPromptLookupTokens = 63;
inline constexpr size_t kMaxMatchingNgramSize = 64;

class PromptLookup {
 public:
  explicit PromptLookup(const PromptLookupOptions& options);

  // Appends at most `most` tokens that may follow `ids` to `draft`, or none. Looks up the longest
  // end of `ids` that occurred before, up to max_matching_ngram_size and at least two tokens (one
  // if that is the size), and takes what followed the latest time. A draft that reaches the end of
  // `ids` goes on with itself, so a loop gives a whole draft. Takes time that is linear in `ids`.
  void draft(std::span<const uint32_t> ids, size_t most, std::vector<uint32_t>& draft);
  // How many tokens of the last draft, which had `drafted` of them, were right.
  void learn(size_t drafted, size_t right);

 private:
  PromptLookupOptions options_;
  size_t length_;      // of the next draft, at most
  size_t pause_ = 0;   // tokens without a draft from now on
  size_t next_pause_;  // after the next draft that does not pay
};

}  // namespace ambry::infer
