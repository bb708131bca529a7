// Quantized tensors with a minimum beside each scale (codec_layout.h), for tests.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "base/half.h"
#include "tensor/codec/decode_payload.h"

namespace ambry::tensor {

// A tensor of `dtype` whose blocks have random minima, and its values in double precision.
struct WithMinima {
  Encoded encoded;
  std::vector<double> values;
  std::vector<double> largest;  // what the sum of an element is made of at most
};

inline double number_at(DType type, const uint8_t* from) {
  return type == DType::F16 ? double{f16_to_f32(load_le<uint16_t>(from))}
                            : double{load_le<float>(from)};
}

// Puts a minimum after each scale of what encode() makes.
inline WithMinima with_minima(DType dtype, const Shape& shape, uint16_t block, DType scale_type) {
  const uint64_t cols = shape[shape.rank() - 1];
  const std::vector<float> source = random_values(static_cast<size_t>(*shape.count()), 7);
  auto plain = encode(dtype, shape, source, {.block_size = block, .scale_type = scale_type});
  EXPECT_TRUE(plain) << describe(plain.error());
  const std::vector<float> before = values_of(dtype, shape, *plain);
  const auto layout = payload_layout(dtype, shape, plain->quantization);
  EXPECT_TRUE(layout);
  const size_t size = dtype_size(scale_type);
  const double half = 1U << (code_bits(code_type(dtype)) - 1);
  const bool first = layout->n_scales > 0;
  const size_t between =
      first ? 0 : static_cast<size_t>(code_bytes(code_type(dtype), layout->block));
  const auto n_blocks = static_cast<size_t>(layout->rows * layout->blocks_per_row);

  WithMinima made{std::move(*plain), {}, {}};
  const Payload from = std::exchange(made.encoded.payload, {});
  made.encoded.quantization.minima = true;
  for (const uint8_t byte : quant_prefix(dtype, made.encoded.quantization)) {
    made.encoded.payload.push_back(byte);
  }
  std::vector<double> scales;
  std::vector<double> minima;
  const uint8_t* at = from.data() + kQuantPrefixBytes;
  for (size_t i = 0; i < n_blocks; ++i) {
    made.encoded.payload.insert(made.encoded.payload.end(), at, at + size);
    scales.push_back(number_at(scale_type, at));
    at += size;
    const float minimum = static_cast<float>(static_cast<int>(i * 37 % 64) - 50) / 64;
    uint8_t bytes[sizeof(float)];
    if (scale_type == DType::F16) {
      store_le(bytes, f32_to_f16(minimum));
    } else {
      store_le(bytes, minimum);
    }
    minima.push_back(number_at(scale_type, bytes));
    made.encoded.payload.insert(made.encoded.payload.end(), bytes, bytes + size);
    made.encoded.payload.insert(made.encoded.payload.end(), at, at + between);
    at += between;
  }
  made.encoded.payload.insert(made.encoded.payload.end(), at, from.data() + from.size());
  for (size_t i = 0; i < before.size(); ++i) {
    const auto of =
        static_cast<size_t>(i / cols * layout->blocks_per_row + i % cols / layout->block);
    made.values.push_back(double{before[i]} + half * scales[of] + minima[of]);
    made.largest.push_back(2 * half * std::abs(scales[of]) + 1);
  }
  return made;
}

}  // namespace ambry::tensor
