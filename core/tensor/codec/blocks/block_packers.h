// The bits of K-quants: the opposite of read_k_quant_block().
#pragma once

#include <cstdint>

#include "tensor/codec/blocks/k_quant_blocks.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// Writes the block_of(dtype).bytes bytes of a block of Q2_K, Q3_K, Q4_K, Q5_K or Q6_K.
void write_k_quant_block(DType dtype, const KQuantBlock& from, uint8_t* to);

}  // namespace ambry::tensor
