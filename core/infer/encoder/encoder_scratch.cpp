#include "infer/encoder/encoder_scratch.h"

#include <algorithm>

#include "infer/scratch_buffer.h"
#include "kernels/attention/encoder_attention.h"

namespace ambry::infer {
namespace {

bool has_int8(const EncoderLayer& layer) {
  const Linear* all[] = {&layer.query, &layer.key,          &layer.value, &layer.attention_output,
                         &layer.gate,  &layer.intermediate, &layer.output};
  return std::ranges::any_of(all, [](const Linear* linear) { return linear->weight.is_int8(); });
}

}  // namespace

Result<void> EncoderScratch::reserve(const EncoderWeights& weights,
                                     std::span<const Sequence> batch) {
  uint64_t n_tokens = 0;
  for (const Sequence& sequence : batch) n_tokens += sequence.ids.size();
  const uint64_t hidden = weights.hidden_size;
  const uint64_t inner = weights.inner_size();
  const uint64_t embedding = weights.embedding_width() * (weights.facts.trigrams ? 3 : 1);
  const uint64_t rows = std::min<uint64_t>(n_tokens, kFeedForwardRows);
  const uint64_t wide = uint64_t{weights.intermediate_size} * (weights.facts.gated ? 2 : 1);
  const kernels::AttentionShape shape{longest_of(batch), weights.num_heads, weights.head_dim};
  const uint64_t row = std::max(3 * inner, embedding);
  AMBRY_RETURN_IF_ERROR(reserve_floats(qkv_, n_tokens * row));
  AMBRY_RETURN_IF_ERROR(reserve_floats(context_, n_tokens * inner));
  AMBRY_RETURN_IF_ERROR(reserve_floats(intermediate_, rows * wide));
  AMBRY_RETURN_IF_ERROR(reserve_floats(attention_, kernels::encoder_attention_scratch(shape)));
  AMBRY_RETURN_IF_ERROR(reserve_floats(row_, std::max(row, hidden)));
  if (!std::ranges::any_of(weights.layers, has_int8)) return {};
  const auto widest = static_cast<size_t>(std::max({hidden, inner, embedding}));
  return reserve_floats(
      quantized_, std::max(kernels::quantized_activation_floats(n_tokens, widest),
                           kernels::quantized_activation_floats(rows, weights.intermediate_size)));
}

Result<void> EncoderScratch::reserve_general(const EncoderWeights& weights,
                                             std::span<const Sequence> batch) {
  const model::EncoderFacts& facts = weights.facts;
  const size_t longest = longest_of(batch);
  AMBRY_RETURN_IF_ERROR(positions_.cover(weights, longest));
  if (facts.norm_first || facts.repeated_norm || facts.parts() > 0) {
    uint64_t n_tokens = 0;
    for (const Sequence& sequence : batch) n_tokens += sequence.ids.size();
    const uint64_t gathered = facts.experts > 0 ? kFeedForwardRows : 0;
    AMBRY_RETURN_IF_ERROR(reserve_floats(
        normed_, (n_tokens + gathered) * std::max(weights.hidden_size, facts.narrow_size) +
                     n_tokens * facts.experts));
  }
  if (facts.positions != model::EncoderPositions::Disentangled) return {};
  AMBRY_RETURN_IF_ERROR(disentangled_.cover(weights, longest));
  if (!has_quantized()) return {};
  return reserve_floats(quantized_, kernels::quantized_activation_floats(disentangled_.n_places(),
                                                                         weights.hidden_size));
}

}  // namespace ambry::infer
