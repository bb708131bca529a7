// The decoders behind decode_blocks(), a file for each family of ggml's types
// (core/formats/gguf/README.md#blocks). Each makes the floats of one block, in the order of
// operations of ggml's reference, so that every bit is the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/half.h"

namespace ambry::tensor {

using DecodeBlock = void(const uint8_t* block, float* out);

// 32 numbers with one scale (legacy_blocks.cpp).
DecodeBlock decode_q4_0, decode_q4_1, decode_q5_0, decode_q5_1, decode_q8_0, decode_q8_1;
// 256 numbers with a scale for each 16 or 32 of them, which is quantized too (k_blocks.cpp).
DecodeBlock decode_q2_k, decode_q3_k, decode_q4_k, decode_q5_k, decode_q6_k, decode_q8_k,
    decode_iq4_xs;
// Codes that are places in a table of 16 numbers (nonlinear_blocks.cpp).
DecodeBlock decode_iq4_nl, decode_mxfp4, decode_nvfp4;
// Points of a grid (grid_blocks.cpp).
DecodeBlock decode_iq1_s, decode_iq1_m, decode_iq2_xxs, decode_iq2_xs, decode_iq2_s, decode_iq3_xxs,
    decode_iq3_s;
// Codes of one bit, two bits, or three values (ternary_blocks.cpp).
DecodeBlock decode_q1_0, decode_q2_0, decode_tq1_0, decode_tq2_0;

// The bits of the f16 that an IQ1_M block has in the upper bits of its scales.
[[nodiscard]] uint16_t iq1_m_half(const uint8_t* block);

// The f16 at `from`.
[[nodiscard]] inline float half_at(const uint8_t* from) {
  return f16_to_f32(load_le<uint16_t>(from));
}

}  // namespace ambry::tensor
