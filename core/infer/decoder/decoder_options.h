// The options of a decoder.
#pragma once

#include <cstdint>

#include "kernels/gemm/weight_matrix.h"

namespace ambry::infer {

// The element type of the KV cache.
enum class KvType : uint8_t { F32, F16 };

struct DecoderOptions {
  KvType kv = KvType::F32;
  // Tokens that a sequence may have; 0: the length that the model was made for.
  uint64_t context = 0;
  // Bytes of weights that may be in memory at a time; 0: all. If the model has more, its matrices
  // are read again for every pass (Decoder::make_room).
  uint64_t resident = 0;
  // How activations are multiplied by quantized weights. Int8 is several times as fast as F32. Even
  // then, matrices that add to the residual stream and narrow matrices use Int14.
  kernels::ActivationPrecision activations = kernels::ActivationPrecision::Int8;
};

}  // namespace ambry::infer
