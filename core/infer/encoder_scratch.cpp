#include "infer/encoder_scratch.h"

#include <algorithm>

#include "infer/grow.h"
#include "kernels/attention.h"

namespace ambry::infer {
Result<void> EncoderScratch::reserve(const EncoderWeights& weights,
                                     std::span<const Sequence> batch) {
  uint64_t n_tokens = 0;
  size_t longest = 0;
  for (const Sequence& sequence : batch) {
    n_tokens += sequence.ids.size();
    longest = std::max(longest, sequence.ids.size());
  }
  const uint64_t hidden = weights.hidden_size;
  const uint64_t widest = std::max(weights.hidden_size, weights.intermediate_size);
  const uint64_t rows = std::min<uint64_t>(n_tokens, kFeedForwardRows);
  const kernels::AttentionShape shape{longest, weights.num_heads,
                                      weights.hidden_size / weights.num_heads};
  AMBRY_CHECK(grow(qkv_, n_tokens * 3 * hidden));
  AMBRY_CHECK(grow(context_, n_tokens * hidden));
  AMBRY_CHECK(grow(intermediate_, rows * weights.intermediate_size));
  AMBRY_CHECK(grow(attention_, kernels::attention_scratch(shape)));
  return grow(panel_, kernels::kPanelColumns * widest);
}

}  // namespace ambry::infer
