// What the caller of a decoder chooses.
#pragma once

#include <cstdint>

#include "kernels/weight_matrix.h"

namespace ambry::infer {

// How keys and values of past tokens are kept.
enum class KvType : uint8_t { F32, F16 };

struct DecoderOptions {
  KvType kv = KvType::F32;
  // Tokens that a sequence may have; 0: as many as the model was made for.
  uint64_t context = 0;
  // Bytes of weights that may be in memory at a time; 0: all of them. Below what the model has, its
  // matrices are read again for every pass (Decoder::make_room).
  uint64_t resident = 0;
  // Of activations with quantised weights. Integer is several times faster and off by at most
  // 1/16382 of the largest activation of a group.
  kernels::Products products = kernels::Products::Integer;
};

}  // namespace ambry::infer
