// What the caller of a decoder chooses.
#pragma once

#include <cstdint>

#include "kernels/gemm/weight_matrix.h"

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
  // Of activations with quantised weights. Fast is several times as fast as Exact, in whole numbers
  // of 8 bits; what is added to the residual stream, and what is narrow, is Fine even then.
  kernels::ActivationPrecision activations = kernels::ActivationPrecision::Int8;
};

}  // namespace ambry::infer
