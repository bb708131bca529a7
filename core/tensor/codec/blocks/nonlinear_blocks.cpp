// Blocks whose 4-bit codes are places in a table of 16 numbers.
#include <array>
#include <bit>

#include "tensor/codec/blocks/block_decoders.h"
#include "tensor/codec/codes/int4_table.h"

namespace ambry::tensor {
namespace {

using Table = std::array<int8_t, 16>;

// Twice the numbers of the OCP's E2M1; the fourth bit is the sign.
constexpr Table kE2M1 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// 2n numbers from n bytes: first those of the low halves, then those of the high ones.
template <size_t n>
void decode_places(const Table& table, const uint8_t* codes, float scale, float* out) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = scale * static_cast<float>(table[codes[i] & 15U]);
    out[i + n] = scale * static_cast<float>(table[codes[i] >> 4U]);
  }
}

// Half of 2^(exponent - 127), since kE2M1 is doubled. 0 and 1 are subnormal; 255, which is NaN to
// the OCP, is 2^127 to ggml.
float half_of_e8m0(uint8_t exponent) {
  const uint32_t bits = exponent < 2 ? 0x00200000U << exponent : (exponent - 1U) << 23U;
  return std::bit_cast<float>(bits);
}

// Half of an E4M3 without a sign, bias 7. ggml ignores the eighth bit, but for 127, which is zero.
float half_of_ue4m3(uint8_t bits) {
  if (bits == 0x7FU) return 0;
  const uint32_t exponent = (bits & 0x78U) >> 3U;
  const uint32_t mantissa = bits & 7U;
  if (exponent == 0) return static_cast<float>(mantissa) * 0x1p-10F;
  return std::bit_cast<float>((exponent + 127U - 8U) << 23U | mantissa << 20U);
}

}  // namespace

void decode_iq4_nl(const uint8_t* block, float* out) {
  decode_places<16>(kInt4Table, block + 2, half_at(block), out);
}

void decode_mxfp4(const uint8_t* block, float* out) {
  decode_places<16>(kE2M1, block + 1, half_of_e8m0(block[0]), out);
}

void decode_nvfp4(const uint8_t* block, float* out) {
  for (size_t group = 0; group < 4; ++group) {
    decode_places<8>(kE2M1, block + 4 + group * 8, half_of_ue4m3(block[group]), out + group * 16);
  }
}

}  // namespace ambry::tensor
