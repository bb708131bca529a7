#include "infer/encoder/encoder_scratch.h"

#include <algorithm>

#include "infer/scratch_buffer.h"
#include "kernels/attention/encoder_attention.h"

namespace ambry::infer {
namespace {

bool has_codes(const EncoderLayer& layer) {
  const Linear* all[] = {&layer.query,        &layer.key,   &layer.value, &layer.attention_output,
                         &layer.intermediate, &layer.output};
  return std::ranges::any_of(all, [](const Linear* linear) { return linear->weight.is_codes(); });
}

}  // namespace

Result<void> EncoderScratch::reserve(const EncoderWeights& weights,
                                     std::span<const Sequence> batch) {
  uint64_t n_tokens = 0;
  size_t longest = 0;
  for (const Sequence& sequence : batch) {
    n_tokens += sequence.ids.size();
    longest = std::max(longest, sequence.ids.size());
  }
  const uint64_t hidden = weights.hidden_size;
  const uint64_t rows = std::min<uint64_t>(n_tokens, kFeedForwardRows);
  const kernels::AttentionShape shape{longest, weights.num_heads,
                                      weights.hidden_size / weights.num_heads};
  AMBRY_CHECK(grow(qkv_, n_tokens * 3 * hidden));
  AMBRY_CHECK(grow(context_, n_tokens * hidden));
  AMBRY_CHECK(grow(intermediate_, rows * weights.intermediate_size));
  AMBRY_CHECK(grow(attention_, kernels::attention_scratch(shape)));
  AMBRY_CHECK(grow(row_, hidden));
  if (!std::ranges::any_of(weights.layers, has_codes)) return {};
  return grow(codes_, std::max(kernels::coded_floats(n_tokens, weights.hidden_size),
                               kernels::coded_floats(rows, weights.intermediate_size)));
}

}  // namespace ambry::infer
