// What attention needs to know of positions. It is kept from batch to batch and grows with the
// longest text.
#pragma once

#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/attention/distance_bias.h"

namespace ambry::infer {

class PositionScratch {
 public:
  // Makes what texts of up to `length` tokens need. LimitExceeded when the heap is full.
  [[nodiscard]] Result<void> cover(const EncoderWeights& weights, size_t length);

  [[nodiscard]] const RopeTable& rope(bool local) const {
    return local && has_local_ ? local_rope_ : rope_;
  }
  [[nodiscard]] size_t n_pairs() const { return n_pairs_; }
  // The biases of ALiBi, or of relative buckets.
  [[nodiscard]] kernels::DistanceBias distance_bias() const {
    return {biases_.as<float>().data(), 2 * length_ - 1, length_ - 1};
  }

 private:
  void rotate_up_to(const EncoderWeights& weights, size_t length);
  [[nodiscard]] Result<void> bias_up_to(const EncoderWeights& weights, size_t length);

  RopeTable rope_;
  RopeTable local_rope_;  // of layers with a window, where their base is another
  bool has_local_ = false;
  size_t n_pairs_ = 0;
  AlignedBuffer biases_;  // of each head, the distances -(length - 1) … length - 1
  size_t length_ = 0;
};

}  // namespace ambry::infer
