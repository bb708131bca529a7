#include "infer/encoder/scratch/position_scratch.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "infer/scratch_buffer.h"
#include "kernels/attention/relative_positions.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

// `ntk` is EncoderFacts::rope_ntk_factor.
RopeFrequencies frequencies(double theta, double ntk, size_t n_pairs) {
  RopeFrequencies made;
  const auto n = static_cast<double>(n_pairs);
  const double slower = std::pow(ntk, 1 / n);
  for (size_t i = 0; i < n_pairs; ++i) {
    made.inv_freq.push_back(std::pow(theta * ntk, -static_cast<double>(i) / n) / slower);
  }
  return made;
}

}  // namespace

Result<void> PositionScratch::cover(const EncoderWeights& weights, size_t length) {
  if (length <= length_) return {};
  switch (weights.facts.positions) {
    case model::EncoderPositions::Rope:
      rotate_up_to(weights, length);
      break;
    case model::EncoderPositions::Alibi:
    case model::EncoderPositions::RelativeBuckets:
      AMBRY_RETURN_IF_ERROR(bias_up_to(weights, length));
      break;
    default:
      break;
  }
  length_ = length;
  return {};
}

void PositionScratch::rotate_up_to(const EncoderWeights& weights, size_t length) {
  const model::EncoderFacts& facts = weights.facts;
  if (length_ == 0) {
    n_pairs_ = static_cast<size_t>(weights.head_dim * facts.rotary_fraction) / 2;
    has_local_ = facts.local_rope_theta > 0;
    rope_.set_frequencies(frequencies(facts.rope_theta, facts.rope_ntk_factor, n_pairs_));
    if (has_local_) local_rope_.set_frequencies(frequencies(facts.local_rope_theta, 1, n_pairs_));
  }
  rope_.add(length_, length - length_);
  if (has_local_) local_rope_.add(length_, length - length_);
}

Result<void> PositionScratch::bias_up_to(const EncoderWeights& weights, size_t length) {
  const size_t row_size = 2 * length - 1;
  const uint32_t heads = weights.num_heads;
  AMBRY_RETURN_IF_ERROR(reserve_floats(biases_, heads * uint64_t{row_size}));
  const std::span<float> biases = biases_.as<float>();
  const bool alibi = weights.facts.positions == model::EncoderPositions::Alibi;
  const std::vector<float> slopes = alibi ? kernels::alibi_slopes(heads) : std::vector<float>();
  std::vector<float> of_heads(heads);
  for (size_t i = 0; i < row_size; ++i) {
    const int64_t distance = static_cast<int64_t>(i) - static_cast<int64_t>(length - 1);
    if (alibi) {
      for (uint32_t head = 0; head < heads; ++head) {
        of_heads[head] = -slopes[head] * static_cast<float>(std::abs(distance));
      }
    } else {
      const uint32_t bucket =
          kernels::t5_bucket(distance, weights.facts.relative_buckets, weights.facts.max_distance);
      weights.relative_bias.read_row<simd::Best>(bucket, of_heads);
    }
    for (uint32_t head = 0; head < heads; ++head) biases[head * row_size + i] = of_heads[head];
  }
  return {};
}

}  // namespace ambry::infer
