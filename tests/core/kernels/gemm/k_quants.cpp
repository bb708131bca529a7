#include "kernels/gemm/k_quants.h"

#include <cmath>

#include "base/bytes.h"
#include "base/half.h"
#include "kernels/test_random.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/blocks/grid_blocks.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

struct KQuantNumbers {
  int code;
  int scale;
  int minimum = 0;
};

int bits_of(unsigned byte, unsigned from, unsigned n) {
  return static_cast<int>(byte >> from & ((1U << n) - 1));
}

// Columns 0 to 127 and 128 to 255 have 32 bytes each; in a byte, 2 bits for every 32 columns.
KQuantNumbers q2(const uint8_t* block, size_t i) {
  const size_t half = i / 128;
  const auto run = static_cast<unsigned>(i % 128 / 32);
  return {bits_of(block[16 + 32 * half + i % 32], 2 * run, 2), bits_of(block[i / 16], 0, 4),
          bits_of(block[i / 16], 4, 4)};
}

KQuantNumbers q3(const uint8_t* block, size_t i) {
  const auto run = static_cast<unsigned>(i / 32);
  const int low = bits_of(block[32 + 32 * (i / 128) + i % 32], 2 * (run % 4), 2);
  const int high = bits_of(block[i % 32], run, 1);
  const size_t g = i / 16;
  const int scale = bits_of(block[96 + g % 8], g < 8 ? 0 : 4, 4) +
                    16 * bits_of(block[104 + g % 4], static_cast<unsigned>(2 * (g / 4)), 2);
  return {low + 4 * high - 4, scale - 32};
}

KQuantNumbers q4_or_q5(const uint8_t* block, size_t i, bool five) {
  const size_t g = i / 32;
  const uint8_t* packed = block + 4;
  int scale = bits_of(packed[g % 4], 0, 6);
  int minimum = bits_of(packed[4 + g % 4], 0, 6);
  if (g >= 4) {
    scale = bits_of(packed[4 + g], 0, 4) + 16 * bits_of(packed[g - 4], 6, 2);
    minimum = bits_of(packed[4 + g], 4, 4) + 16 * bits_of(packed[g], 6, 2);
  }
  const uint8_t* codes = block + (five ? 48 : 16);
  int code = bits_of(codes[32 * (i / 64) + i % 32], g % 2 == 0 ? 0 : 4, 4);
  if (five) code += 16 * bits_of(block[16 + i % 32], static_cast<unsigned>(g), 1);
  return {code, scale, minimum};
}

KQuantNumbers q6(const uint8_t* block, size_t i) {
  const size_t half = i / 128;
  const size_t in_half = i % 128;
  const int low = bits_of(block[64 * half + in_half % 64], in_half < 64 ? 0 : 4, 4);
  const int high =
      bits_of(block[128 + 32 * half + in_half % 32], static_cast<unsigned>(2 * (in_half / 32)), 2);
  return {low + 16 * high - 32, static_cast<int8_t>(block[192 + i / 16])};
}

KQuantNumbers iq4(const uint8_t* block, size_t i) {
  constexpr int kValues[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                             1,    13,   25,  38,  53,  69,  89,  113};
  const auto g = static_cast<unsigned>(i / 32);
  const int low = bits_of(block[4 + g / 2], g % 2 == 0 ? 0 : 4, 4);
  const int scale = low + 16 * bits_of(block[2 + g / 4], 2 * (g % 4), 2) - 32;
  return {kValues[bits_of(block[8 + 16 * g + i % 16], i % 32 < 16 ? 0 : 4, 4)], scale};
}

KQuantNumbers numbers_of(DType dtype, const uint8_t* block, size_t i) {
  switch (dtype) {
    case DType::Q2_K:
      return q2(block, i);
    case DType::Q3_K:
      return q3(block, i);
    case DType::Q6_K:
      return q6(block, i);
    case DType::IQ4_XS:
      return iq4(block, i);
    default:
      return q4_or_q5(block, i, dtype == DType::Q5_K);
  }
}

bool has_minima(DType dtype) {
  return dtype == DType::Q2_K || dtype == DType::Q4_K || dtype == DType::Q5_K;
}

}  // namespace

size_t place_of_d(DType dtype) {
  switch (dtype) {
    case DType::Q2_K:
      return 80;
    case DType::Q3_K:
      return 108;
    case DType::Q6_K:
      return 208;
    default:
      return 0;
  }
}

// A block of a grid as the reader of floats reads it, which other tests compare with ggml. All
// products are exact.
KQuantValue grid_value(DType dtype, const uint8_t* block, size_t i) {
  float values[256];
  const Bytes bytes(block, tensor::block_of(dtype).bytes);
  if (!tensor::decode_blocks(dtype, bytes, values)) return {};
  return {values[i], std::abs(double{values[i]}), values[i]};
}

KQuantValue k_quant_value(DType dtype, const uint8_t* block, size_t i) {
  if (tensor::grid_numbers(dtype) != nullptr) return grid_value(dtype, block, i);
  const uint8_t* halves = block + place_of_d(dtype);
  const float d = f16_to_f32(load_le<uint16_t>(halves));
  const float dmin = has_minima(dtype) ? f16_to_f32(load_le<uint16_t>(halves + 2)) : 0;
  const KQuantNumbers numbers = numbers_of(dtype, block, i);
  const double product = double{d} * numbers.scale * numbers.code;
  const double minimum = double{dmin} * numbers.minimum;
  const float scaled = d * static_cast<float>(numbers.scale);
  float reference = scaled * static_cast<float>(numbers.code);
  if (has_minima(dtype)) reference -= dmin * static_cast<float>(numbers.minimum);
  return {product - minimum, std::abs(product) + std::abs(minimum), reference};
}

uint8_t* KQuantMatrix::block(size_t row, size_t b) {
  return payload.data() + (row * cols / 256 + b) * tensor::block_of(dtype).bytes;
}

KQuantValue KQuantMatrix::at(size_t row, size_t col) const {
  const size_t block = (row * cols + col) / 256;
  return k_quant_value(dtype, payload.data() + block * tensor::block_of(dtype).bytes, col % 256);
}

void KQuantMatrix::set_scales(float d, float dmin) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t b = 0; b < cols / 256; ++b) {
      uint8_t* halves = block(r, b) + place_of_d(dtype);
      store_le<uint16_t>(halves, f32_to_f16(d));
      if (has_minima(dtype)) store_le<uint16_t>(halves + 2, f32_to_f16(dmin));
    }
  }
}

KQuantMatrix uniform_k_quants(DType dtype, size_t rows, size_t cols, uint8_t byte) {
  KQuantMatrix matrix{dtype, rows, cols, {}};
  matrix.payload.resize(rows * cols / 256 * tensor::block_of(dtype).bytes, byte);
  matrix.set_scales(1, 1);
  return matrix;
}

KQuantMatrix random_k_quants(DType dtype, size_t rows, size_t cols) {
  TestRandom random(rows * 1000 + cols);
  KQuantMatrix matrix = uniform_k_quants(dtype, rows, cols, 0);
  for (uint8_t& byte : matrix.payload) byte = static_cast<uint8_t>(random.bits());
  for (size_t r = 0; r < rows; ++r) {
    for (size_t b = 0; b < cols / 256; ++b) {
      uint8_t* halves = matrix.block(r, b) + place_of_d(dtype);
      store_le<uint16_t>(halves, f32_to_f16(random.next() * 0.01F));
      if (has_minima(dtype)) store_le<uint16_t>(halves + 2, f32_to_f16(random.next() * 0.1F));
    }
  }
  return matrix;
}

}  // namespace ambry::kernels
