// The cosines and sines of rotary position embeddings (RoPE) at each position. Angles are computed
// in double, so far positions are as exact as near ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/decoder/decoder_config.h"
#include "model/decoder/rope_frequencies.h"

namespace ambry::infer {

using model::RopeFrequencies;

// Whether keys rotated for a sequence of `before` tokens are invalid for one of `after` tokens,
// which may be fewer. LongRope's factors change once, at the original length of the model.
// (Dynamic's change with every token, but keys stay as they were rotated, as in Hugging Face's
// cache.)
[[nodiscard]] bool rope_changes(const model::DecoderConfig& config, uint64_t before,
                                uint64_t after);

// Whether passes that rotated keys for up to `before` tokens rotated them as one pass over `after`
// tokens does. Dynamic scaling rotates the tokens of a pass by its length once that is past the
// model's own, so keys of several passes then never equal those of one.
[[nodiscard]] bool keeps_rotation(const model::DecoderConfig& config, uint64_t before,
                                  uint64_t after);

// Whether the rotation of a token depends on how long its sequence is.
[[nodiscard]] bool rotation_depends_on_length(const model::DecoderConfig& config);

// Covers the positions that were added, pair by pair.
class RopeTable {
 public:
  void set_frequencies(RopeFrequencies frequencies) { frequencies_ = std::move(frequencies); }
  void clear();
  // Adds the positions `first` … `first + count - 1`.
  void add(uint64_t first, size_t count);

  // The n_pairs() values of the i-th position.
  [[nodiscard]] const float* cosines(size_t i) const { return &cosines_[i * n_pairs()]; }
  [[nodiscard]] const float* sines(size_t i) const { return &sines_[i * n_pairs()]; }
  // All cosines, then all sines.
  [[nodiscard]] std::vector<float> values() const;
  [[nodiscard]] size_t n_pairs() const { return frequencies_.inv_freq.size(); }

 private:
  RopeFrequencies frequencies_;
  std::vector<float> cosines_;
  std::vector<float> sines_;
};

}  // namespace ambry::infer
