// What tells one decoder from another, for sequences that are saved and restored: a checksum of the
// configuration, and one of some bytes of each tensor. Two models of one architecture thus differ,
// and no model is read as a whole for it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace ambry::infer {

struct DecoderIdentity {
  uint32_t config = 0;
  // For each tensor that the decoder uses; 0 while it has not been in memory.
  std::vector<uint32_t> tensors;

  // False when the two cannot be the same model. Tensors that either has not seen do not count.
  [[nodiscard]] bool may_equal(const DecoderIdentity& other) const;
};

// A checksum of the stored bytes of a tensor; never 0. A large tensor is sampled at 64 places.
[[nodiscard]] uint32_t tensor_sample(Bytes stored);

}  // namespace ambry::infer
