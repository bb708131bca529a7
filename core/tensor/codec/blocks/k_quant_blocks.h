// One block of 256 values of ggml's K-quants or IQ4_XS, taken apart: the numbers as they are
// stored, before anything is multiplied (core/formats/gguf/README.md#blocks).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

inline constexpr size_t kSuperBlock = 256;  // values of a block

// A code q of Q2_K, Q4_K and Q5_K has the value d * scale * q - dmin * minimum; of Q3_K and Q6_K,
// d * scale * (q - offset) with an offset of half the range of q; of IQ4_XS, d * scale *
// kInt4Table[q]. The values of a group share a scale: 16 of them, or 32 of Q4_K, Q5_K and IQ4_XS.
struct KQuantBlock {
  uint16_t d = 0;  // halves
  uint16_t dmin = 0;
  std::array<int8_t, 16> scales{};
  std::array<uint8_t, 16> minima{};
  std::array<uint8_t, kSuperBlock> codes{};
};

// `from` has block_of(dtype).bytes bytes.
void read_k_quant_block(DType dtype, const uint8_t* from, KQuantBlock& to);

}  // namespace ambry::tensor
