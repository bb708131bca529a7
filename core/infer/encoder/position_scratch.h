// What attention needs to know of positions. It is kept from batch to batch and grows with the
// longest text.
#pragma once

#include <cstddef>

#include "infer/decoder/rope_table.h"
#include "infer/encoder/encoder_weights.h"

namespace ambry::infer {

class PositionScratch {
 public:
  // Makes the rotations of the positions below `length`.
  void cover(const EncoderWeights& weights, size_t length);

  [[nodiscard]] const RopeTable& rope(bool local) const {
    return local && has_local_ ? local_rope_ : rope_;
  }
  [[nodiscard]] size_t n_pairs() const { return n_pairs_; }

 private:
  RopeTable rope_;
  RopeTable local_rope_;  // of layers with a window, where their base is another
  bool has_local_ = false;
  size_t n_pairs_ = 0;
  size_t length_ = 0;
};

}  // namespace ambry::infer
