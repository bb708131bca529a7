// One block of 256 values of ggml's K-quants and IQ4_XS, taken apart: the numbers as they are
// stored, before anything is multiplied.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/gemm/super_blocks/super_block_layout.h"

namespace ambry::kernels {

// Values are d * scale * (code - offset) - dmin * minimum (SuperBlockLayout).
struct KQuantBlock {
  uint16_t d = 0;  // halves
  uint16_t dmin = 0;
  std::array<int8_t, 16> scales{};
  std::array<uint8_t, 16> minima{};
  std::array<uint8_t, kSuperBlock> codes{};
};

// `from` has block_of(layout.dtype).bytes bytes.
void read_k_quant_block(const SuperBlockLayout& layout, const uint8_t* from, KQuantBlock& to);

}  // namespace ambry::kernels
