#include "infer/encoder/position_scratch.h"

#include <cmath>

namespace ambry::infer {
namespace {

RopeFrequencies frequencies(double theta, size_t n_pairs) {
  RopeFrequencies made;
  for (size_t i = 0; i < n_pairs; ++i) {
    made.inv_freq.push_back(
        std::pow(theta, -static_cast<double>(i) / static_cast<double>(n_pairs)));
  }
  return made;
}

}  // namespace

void PositionScratch::cover(const EncoderWeights& weights, size_t length) {
  const model::EncoderFacts& facts = weights.facts;
  if (length_ == 0) {
    n_pairs_ = static_cast<size_t>(weights.head_dim * facts.rotary_fraction) / 2;
    has_local_ = facts.local_rope_theta > 0;
    rope_.set_frequencies(frequencies(facts.rope_theta, n_pairs_));
    if (has_local_) local_rope_.set_frequencies(frequencies(facts.local_rope_theta, n_pairs_));
  }
  if (length <= length_) return;
  rope_.add(length_, length - length_);
  if (has_local_) local_rope_.add(length_, length - length_);
  length_ = length;
}

}  // namespace ambry::infer
