// The options of a decoder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/weight_matrix.h"

namespace ambry::infer {

// The element type of the KV cache. Int8 has an f32 scale for each key and value of a head.
enum class KvType : uint8_t { F32, F16, Int8 };

// Bytes of a number, and of the scale of the numbers of one head.
[[nodiscard]] constexpr size_t kv_element_bytes(KvType type) {
  return type == KvType::F32 ? 4 : type == KvType::F16 ? 2 : 1;
}
[[nodiscard]] constexpr size_t kv_scale_bytes(KvType type) { return type == KvType::Int8 ? 4 : 0; }

// Tokens that go through a layer together: enough to make widening a panel of weights worthwhile,
// few enough that the wide rows of the feed-forward layer stay small.
inline constexpr size_t kPassRows = 64;

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
  // Whether a device computes the passes (device/device_block.h). Matrices then come part by part,
  // for one pass that checks the device, and are not kept.
  bool device = false;
};

}  // namespace ambry::infer
