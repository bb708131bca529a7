// Whole payloads through a StreamDecoder, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/codec/encode.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::tensor {

using Payload = std::vector<uint8_t>;

// "ff 00|01": spaces and bars are for the reader.
inline Payload hex(std::string_view text) {
  Payload bytes;
  for (size_t i = 0; i + 1 < text.size();) {
    if (text[i] == ' ' || text[i] == '|') {
      ++i;
      continue;
    }
    bytes.push_back(static_cast<uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    i += 2;
  }
  return bytes;
}

// The whole payload in chunks of `step` bytes, `room` elements at a time.
inline Result<std::vector<float>> decoded(DType dtype, const Shape& shape, const Quantization& how,
                                          const Payload& payload, size_t step = SIZE_MAX,
                                          size_t room = 1000) {
  AMBRY_TRY(StreamDecoder decoder, StreamDecoder::create(dtype, shape, how, payload.size(), 100));
  std::vector<float> all;
  std::vector<float> out(room);
  for (size_t at = 0; at < payload.size();) {
    const size_t n = std::min(step, payload.size() - at);
    Bytes chunk = Bytes(payload).subspan(at, n);
    while (!chunk.empty()) {
      AMBRY_TRY(const size_t got, decoder.decode(chunk, out));
      all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(got));
    }
    at += n;
  }
  while (!decoder.is_complete()) {
    Bytes none;
    AMBRY_TRY(const size_t got, decoder.decode(none, out));
    if (got == 0) break;
    all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(got));
  }
  AMBRY_RETURN_IF_ERROR(decoder.finish());
  return all;
}

inline std::vector<float> values_of(DType dtype, const Shape& shape, const Encoded& encoded) {
  const auto values = decoded(dtype, shape, encoded.quantization, encoded.payload);
  EXPECT_TRUE(values) << describe(values.error());
  return values ? *values : std::vector<float>();
}

inline std::vector<float> random_values(size_t n, uint32_t seed, float size = 1) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float& v : values) {
    v = size * (static_cast<float>(random() >> 8) / static_cast<float>(1 << 23) - 1);
  }
  return values;
}

}  // namespace ambry::tensor
