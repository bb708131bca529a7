// Repacks quantized numbers between ggml's blocks and AMB's payloads
// (core/formats/amb/README.md#repacking): Q4_0 is INT4BLOCK, Q5_0 is INT5BLOCK and Q8_0 is INT8,
// each with f16 scales for 32 elements. Codes and scales keep their values; what differs is where
// they lie.
//
//   Q4_0       scale | 16 bytes: elements 0-15 in the low halves, 16-31 in the high ones, plus 8
//   INT4BLOCK  scale | 16 bytes: elements 2k and 2k+1, two's complement
//   Q5_0       scale | u32 of fifth bits | 16 bytes as Q4_0, plus 16
//   INT5BLOCK  scale | 20 bytes: two's complement, from the lowest bit on
//   Q8_0       scale | 32 bytes
//   INT8       all scales | all codes
#pragma once

#include <optional>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "tensor/codec/codes/codec_layout.h"
#include "tensor/dtype/dtype.h"
#include "tensor/dtype/quantization.h"
#include "tensor/dtype/shape.h"

namespace ambry::tensor {

inline constexpr uint16_t kRepackedBlock = 32;

// Int4Block for Q4_0, Int5Block for Q5_0, Int8 for Q8_0; nothing for other types. The quantization
// that goes with it: f16 scales for 32 elements, with the prefix.
[[nodiscard]] std::optional<DType> payload_type(DType blocks);
inline constexpr Quantization kRepackedQuantization{kRepackedBlock};

// The block type of a payload: Q4_0 for Int4Block, and so on. Nothing where the payload is laid out
// so that no block type holds it.
[[nodiscard]] std::optional<DType> block_type(DType payload, const Shape& shape,
                                              const Quantization& quantization);

// Whole blocks of Q4_0, Int4Block, Q5_0 or Int5Block, without a prefix, as their counterpart of the
// same size. `from` and `to` may be the same bytes.
void repack_blocks(DType from_type, Bytes from, MutableBytes to);

// All blocks of a tensor of Q4_0, Q5_0 or Q8_0 as the payload that goes with it, without a prefix:
// kRepackedWhole. LimitExceeded when the heap cannot hold both.
[[nodiscard]] Result<AlignedBuffer> repack_whole(DType blocks, AlignedBuffer bytes);
inline constexpr Quantization kRepackedWhole{kRepackedBlock, DType::F16, 0};

// Q8_0: n blocks of 34 bytes, n scales of 2 bytes, 32 n codes.
inline constexpr size_t kQ8BlockBytes = 34;
void take_q8_scales(Bytes blocks, MutableBytes scales);
void take_q8_codes(Bytes blocks, MutableBytes codes);
void join_q8(Bytes scales, Bytes codes, MutableBytes blocks);

}  // namespace ambry::tensor
