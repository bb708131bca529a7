#include "infer/encoder/scratch/disentangled_scratch.h"

#include <algorithm>

#include "infer/scratch_buffer.h"
#include "kernels/attention/relative_positions.h"
#include "kernels/norm/layer_norm.h"
#include "simd/isa.h"

namespace ambry::infer {

uint32_t DisentangledScratch::find_places(const model::EncoderFacts& facts, size_t length) {
  const auto furthest = static_cast<int64_t>(length) - 1;
  const auto place = [&](int64_t distance) {
    return kernels::deberta_place(distance, facts.relative_buckets, facts.max_distance);
  };
  const uint32_t first = place(furthest);  // places fall with the distance
  places_.clear();
  for (int64_t distance = -furthest; distance <= furthest; ++distance) {
    places_.push_back(place(distance) - first);
  }
  n_places_ = size_t{places_.front()} + 1;
  return first;
}

Result<void> DisentangledScratch::cover(const EncoderWeights& weights, size_t length) {
  const size_t hidden = weights.hidden_size;
  const size_t inner = weights.inner_size();
  const kernels::AttentionShape shape{length, weights.num_heads, weights.head_dim};
  if (length == length_) return {};
  length_ = 0;
  const uint32_t first = find_places(weights.facts, length);
  AMBRY_RETURN_IF_ERROR(reserve_floats(embeddings_, uint64_t{n_places_} * hidden));
  AMBRY_RETURN_IF_ERROR(reserve_floats(keys_, uint64_t{n_places_} * inner));
  AMBRY_RETURN_IF_ERROR(reserve_floats(queries_, uint64_t{n_places_} * inner));
  AMBRY_RETURN_IF_ERROR(
      reserve_floats(scores_, kernels::DisentangledBias::scratch_size(shape, n_places_)));
  for (size_t i = 0; i < n_places_; ++i) {
    const std::span<float> row = embeddings_.as<float>().subspan(i * hidden, hidden);
    weights.relative_embeddings.read_row<simd::Best>(first + i, row);
    if (!weights.facts.relative_norm) continue;
    kernels::layer_norm<simd::Best>(row, {weights.relative_norm.weight.data(), row.size()},
                                    {weights.relative_norm.bias.data(), row.size()},
                                    weights.layer_norm_eps);
  }
  length_ = length;
  return {};
}

kernels::DisentangledBias DisentangledScratch::bias(const EncoderWeights& weights) {
  return {.keys = weights.facts.content_to_position ? keys() : nullptr,
          .queries = weights.facts.position_to_content ? queries() : nullptr,
          .stride = weights.inner_size(),
          .n_places = n_places_,
          .places = places_.data() + (length_ - 1),
          .scratch = scores_.as<float>()};
}

}  // namespace ambry::infer
