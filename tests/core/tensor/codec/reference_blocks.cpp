#include "tensor/codec/reference_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "tensor/codec/blocks/grid_blocks.h"

namespace ambry::tensor::testing {
namespace {

constexpr auto kPowers = [] {  // of 2, from -24 to 7
  std::array<double, 32> powers{};
  powers[0] = 1.0 / (1 << 24);
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 2;
  return powers;
}();

class Block {
 public:
  explicit Block(const uint8_t* bytes) : bytes_(bytes) {}

  // `n` bits from bit `first` of byte `byte` on, at most 8.
  [[nodiscard]] int bits(int byte, int first, int n) const {
    int window = bytes_[byte + first / 8];
    if (first % 8 + n > 8) window |= bytes_[byte + first / 8 + 1] << 8;
    return window >> first % 8 & ((1 << n) - 1);
  }
  // `n` bits of number i where they lie one after another from `byte` on.
  [[nodiscard]] int code(int byte, int i, int n) const { return bits(byte, i * n, n); }
  [[nodiscard]] int signed_byte(int byte) const {
    return bytes_[byte] < 128 ? bytes_[byte] : bytes_[byte] - 256;
  }
  [[nodiscard]] double half(int byte) const {
    const int all = bytes_[byte] | bytes_[byte + 1] << 8;
    const int exponent = all >> 10 & 31;
    const int fraction = exponent == 0 ? all & 1023 : 1024 + (all & 1023);
    const double magnitude = fraction * kPowers[static_cast<size_t>(std::max(exponent - 1, 0))];
    return all < 32768 ? magnitude : -magnitude;
  }
  [[nodiscard]] double single(int byte) const {
    uint32_t all = 0;
    for (int i = 0; i < 4; ++i) all |= uint32_t{bytes_[byte + i]} << (8 * i);
    return double{std::bit_cast<float>(all)};
  }

 private:
  const uint8_t* bytes_;
};

// The four bits of number i of 2n whose codes are in n bytes: low halves first.
int nibble(const Block& block, int byte, int n, int i) {
  return block.bits(byte + i % n, i / n * 4, 4);
}

double q4_0(const Block& b, int i) { return b.half(0) * (nibble(b, 2, 16, i) - 8); }
double q4_1(const Block& b, int i) { return b.half(0) * nibble(b, 4, 16, i) + b.half(2); }
double q5_0(const Block& b, int i) {
  return b.half(0) * (nibble(b, 6, 16, i) + 16 * b.code(2, i, 1) - 16);
}
double q5_1(const Block& b, int i) {
  return b.half(0) * (nibble(b, 8, 16, i) + 16 * b.code(4, i, 1)) + b.half(2);
}
double q8_0(const Block& b, int i) { return b.half(0) * b.signed_byte(2 + i); }
double q8_1(const Block& b, int i) { return b.half(0) * b.signed_byte(4 + i); }

// Two bits of number i: four numbers of a byte are 32 apart, and 32 bytes hold 128 numbers.
int two_bits(const Block& block, int byte, int i) {
  return block.bits(byte + i / 128 * 32 + i % 32, i % 128 / 32 * 2, 2);
}

double q2_k(const Block& b, int i) {
  const int group = b.bits(i / 16, 0, 8);
  return b.half(80) * (group % 16) * two_bits(b, 16, i) - b.half(82) * (group / 16);
}

double q3_k(const Block& b, int i) {
  const int group = i / 16;
  const int scale = b.bits(96 + group % 8, group / 8 * 4, 4) +
                    16 * b.bits(104 + group % 4, group / 4 * 2, 2) - 32;
  const int code = two_bits(b, 32, i) + 4 * b.bits(i % 32, i / 32, 1) - 4;
  return b.half(108) * scale * code;
}

// Where the low four or six bits, and the two high ones, of the scale (0) or minimum (1) of a group
// of Q4_K and Q5_K lie in their twelve bytes.
int six_bits(const Block& b, int byte, int group, int which) {
  if (group < 4) return b.bits(byte + group + which * 4, 0, 6);
  return b.bits(byte + group + 4, which * 4, 4) + 16 * b.bits(byte + group - 4 + which * 4, 6, 2);
}

double q4_k(const Block& b, int i) {
  const int group = i / 32;
  const int code = nibble(b, 16 + i / 64 * 32, 32, i % 64);
  return b.half(0) * six_bits(b, 4, group, 0) * code - b.half(2) * six_bits(b, 4, group, 1);
}

double q5_k(const Block& b, int i) {
  const int group = i / 32;
  const int code = nibble(b, 48 + i / 64 * 32, 32, i % 64) + 16 * b.bits(16 + i % 32, group, 1);
  return b.half(0) * six_bits(b, 4, group, 0) * code - b.half(2) * six_bits(b, 4, group, 1);
}

double q6_k(const Block& b, int i) {
  const int low = nibble(b, i / 128 * 64, 64, i % 128);
  return b.half(208) * b.signed_byte(192 + i / 16) * (low + 16 * two_bits(b, 128, i) - 32);
}

double q8_k(const Block& b, int i) { return b.single(0) * b.signed_byte(4 + i); }

double nonlinear(int code) {
  constexpr double kNumbers[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                 1,    13,   25,  38,  53,  69,  89,  113};
  return kNumbers[code];
}

double iq4_nl(const Block& b, int i) { return b.half(0) * nonlinear(nibble(b, 2, 16, i)); }

double iq4_xs(const Block& b, int i) {
  const int group = i / 32;
  const int scale = b.code(4, group, 4) + 16 * b.code(2, group, 2) - 32;
  return b.half(0) * scale * nonlinear(nibble(b, 8 + group * 16, 16, i % 32));
}

// Sign, two bits of exponent with bias 1, one of mantissa.
double e2m1(int code) {
  const int exponent = code >> 1 & 3;
  const double fraction = code % 2 * 0.5;
  const double magnitude = exponent == 0 ? fraction : (1 + fraction) * (1 << (exponent - 1));
  return code < 8 ? magnitude : -magnitude;
}

double mxfp4(const Block& b, int i) {
  return std::ldexp(e2m1(nibble(b, 1, 16, i)), b.bits(0, 0, 8) - 127);
}

double nvfp4(const Block& b, int i) {
  const int group = i / 16;
  const int exponent = b.bits(group, 3, 4);
  const int mantissa = b.bits(group, 0, 3);
  if (b.bits(group, 0, 8) == 127) return 0;
  const double scale =
      exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
  return scale * e2m1(nibble(b, 4 + group * 8, 8, i % 16));
}

double q1_0(const Block& b, int i) { return b.half(0) * (2 * b.code(2, i, 1) - 1); }
double q2_0(const Block& b, int i) { return b.half(0) * (b.code(2, i, 2) - 1); }
double tq2_0(const Block& b, int i) { return b.half(64) * (two_bits(b, 0, i) - 1); }

double tq1_0(const Block& b, int i) {
  const int byte = i < 160 ? i % 32 : i < 240 ? 32 + i % 16 : 48 + i % 4;
  const int digit = i < 160 ? i / 32 : i < 240 ? (i - 160) / 16 : (i - 240) / 4;
  double fraction = b.bits(byte, 0, 8) / 256.0;
  for (int k = 0; k < digit; ++k) {
    fraction *= 3;
    fraction -= static_cast<int>(fraction);
  }
  return b.half(52) * (static_cast<int>(fraction * 3) - 1);
}

// Code `i` of a point of a grid; AgreeWithGgmlsTables tests the points.
int of_point(DType dtype, int point, int i) {
  const int bits = dtype == DType::IQ3_XXS || dtype == DType::IQ3_S ? 3 : 2;
  return grid_points(dtype)[static_cast<size_t>(point)] >> i * bits & ((1 << bits) - 1);
}

// Number i of eight signs of which seven are stored in bits from `first` on.
int seven_signs(const Block& b, int byte, int first, int i) {
  if (i < 7) return 1 - 2 * b.bits(byte, first + i, 1);
  int sign = 1;
  for (int k = 0; k < 7; ++k) sign *= 1 - 2 * b.bits(byte, first + k, 1);
  return sign;
}

double iq2_number(DType dtype, int point, int i) {
  constexpr double kNumbers[] = {8, 25, 43};
  return kNumbers[of_point(dtype, point, i % 8)];
}

double iq2_xxs(const Block& b, int i) {
  const int run = 2 + i / 32 * 8;
  const int eight = i % 32 / 8;
  return b.half(0) * (0.5 + b.bits(run + 7, 4, 4)) * 0.25 *
         iq2_number(DType::IQ2_XXS, b.bits(run + eight, 0, 8), i) *
         seven_signs(b, run + 4, 7 * eight, i % 8);
}

double iq2_xs(const Block& b, int i) {
  const int at = 2 + i / 8 * 2;
  const int point = b.bits(at, 0, 8) + 256 * b.bits(at + 1, 0, 1);
  return b.half(0) * (0.5 + b.code(66, i / 16, 4)) * 0.25 * iq2_number(DType::IQ2_XS, point, i) *
         seven_signs(b, at, 9, i % 8);
}

double iq2_s(const Block& b, int i) {
  const int point = b.bits(2 + i / 8, 0, 8) + 256 * b.code(66, i / 8, 2);
  return b.half(0) * (0.5 + b.code(74, i / 16, 4)) * 0.25 * iq2_number(DType::IQ2_S, point, i) *
         (1 - 2 * b.code(34, i, 1));
}

double iq3_xxs(const Block& b, int i) {
  const int point = b.bits(2 + i / 4, 0, 8);
  const int code = of_point(DType::IQ3_XXS, point, i % 4);
  const int rest = 66 + i / 32 * 4;
  return b.half(0) * (0.5 + b.bits(rest + 3, 4, 4)) * 0.5 * (code == 7 ? 62 : 4 + 8 * code) *
         seven_signs(b, rest, i % 32 / 8 * 7, i % 8);
}

double iq3_s(const Block& b, int i) {
  const int point = b.bits(2 + i / 4, 0, 8) + 256 * b.code(66, i / 4, 1);
  return b.half(0) * (1 + 2 * b.code(106, i / 32, 4)) *
         (1 + 2 * of_point(DType::IQ3_S, point, i % 4)) * (1 - 2 * b.code(74, i, 1));
}

double iq1_s(const Block& b, int i) {
  const int rest = 34 + i / 32 * 2;
  const int point = b.bits(2 + i / 8, 0, 8) + 256 * b.bits(rest, i % 32 / 8 * 3, 3);
  const double shift = 0.125 - 0.25 * b.bits(rest + 1, 7, 1);
  return b.half(0) * (1 + 2 * b.bits(rest + 1, 4, 3)) *
         (of_point(DType::IQ1_S, point, i % 8) - 1 + shift);
}

double iq1_m(const Block& b, int i) {
  const int point = b.bits(i / 8, 0, 8) + 256 * b.bits(32 + i / 16, i / 8 % 2 * 4, 3);
  const double shift = 0.125 - 0.25 * b.bits(32 + i / 16, i / 8 % 2 * 4 + 3, 1);
  uint8_t half[2];
  for (int k = 0; k < 2; ++k) {
    half[k] = static_cast<uint8_t>(b.bits(49 + 4 * k, 4, 4) + 16 * b.bits(51 + 4 * k, 4, 4));
  }
  const int g = i / 16;
  return Block(half).half(0) * (1 + 2 * b.bits(48 + g / 4 * 2, g % 4 * 3, 3)) *
         (of_point(DType::IQ1_M, point, i % 8) - 1 + shift);
}

struct Reference {
  DType dtype;
  double (*number)(const Block& block, int i);
  std::vector<size_t> halves;  // bytes where an f16 starts
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> kAll = {
      {DType::Q4_0, q4_0, {0}},      {DType::Q4_1, q4_1, {0, 2}},  {DType::Q5_0, q5_0, {0}},
      {DType::Q5_1, q5_1, {0, 2}},   {DType::Q8_0, q8_0, {0}},     {DType::Q8_1, q8_1, {0}},
      {DType::Q2_K, q2_k, {80, 82}}, {DType::Q3_K, q3_k, {108}},   {DType::Q4_K, q4_k, {0, 2}},
      {DType::Q5_K, q5_k, {0, 2}},   {DType::Q6_K, q6_k, {208}},   {DType::Q8_K, q8_k, {}},
      {DType::IQ4_NL, iq4_nl, {0}},  {DType::IQ4_XS, iq4_xs, {0}}, {DType::MXFP4, mxfp4, {}},
      {DType::NVFP4, nvfp4, {}},     {DType::Q1_0, q1_0, {0}},     {DType::Q2_0, q2_0, {0}},
      {DType::TQ1_0, tq1_0, {52}},   {DType::TQ2_0, tq2_0, {64}},  {DType::IQ2_XXS, iq2_xxs, {0}},
      {DType::IQ2_XS, iq2_xs, {0}},  {DType::IQ2_S, iq2_s, {0}},   {DType::IQ3_XXS, iq3_xxs, {0}},
      {DType::IQ3_S, iq3_s, {0}},    {DType::IQ1_S, iq1_s, {0}},   {DType::IQ1_M, iq1_m, {}},
  };
  return kAll;
}

const Reference& reference_of(DType dtype) {
  return *std::ranges::find(references(), dtype, &Reference::dtype);
}

}  // namespace

std::vector<DType> reference_types() {
  std::vector<DType> types;
  for (const Reference& reference : references()) types.push_back(reference.dtype);
  return types;
}

std::vector<uint8_t> random_blocks(DType dtype, size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  const size_t size = block_of(dtype).bytes;
  std::vector<uint8_t> blocks(n * size);
  for (size_t i = 0; i < blocks.size(); i += 8) {
    uint64_t bits = random();
    for (size_t k = i; k < std::min(i + 8, blocks.size()); ++k, bits >>= 8) {
      blocks[k] = static_cast<uint8_t>(bits);
    }
  }
  const Reference& reference = reference_of(dtype);
  for (size_t i = 0; i < n; ++i) {
    uint8_t* block = blocks.data() + i * size;
    for (const size_t at : reference.halves) {
      if ((block[at + 1] & 0x7C) == 0x7C) block[at + 1] &= 0xBF;
    }
    if (dtype == DType::IQ1_M && (block[55] & 0x70) == 0x70) block[55] &= 0xBF;
    if (dtype == DType::Q8_K) block[3] &= 0xBF;  // below 2
    if (dtype == DType::MXFP4) block[0] = static_cast<uint8_t>(block[0] % 253);
  }
  return blocks;
}

std::optional<size_t> first_difference(DType dtype, Bytes blocks, std::span<const float> values) {
  const auto [elements, size] = block_of(dtype);
  const Reference& reference = reference_of(dtype);
  for (size_t at = 0; at < values.size(); at += elements) {
    const Block block(blocks.data() + at / elements * size);
    for (int i = 0; i < elements; ++i) {
      const auto expected = static_cast<float>(reference.number(block, i));
      if (values[at + static_cast<size_t>(i)] != expected) return at + static_cast<size_t>(i);
    }
  }
  return std::nullopt;
}

}  // namespace ambry::tensor::testing
