#include "tensor/codec/codes/codes.h"

#include <algorithm>
#include <cassert>

#include "base/bytes.h"
#include "base/half.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {
namespace {

constexpr size_t kInt5Codes = 8;
constexpr size_t kInt5Bytes = 5;

float int4(uint8_t nibble) { return static_cast<float>((nibble ^ 8) - 8); }

void unpack_int4(const uint8_t* from, size_t n, float* to) {
  for (size_t i = 0; i + 1 < n; i += 2, ++from) {
    to[i] = int4(*from & 15U);
    to[i + 1] = int4(static_cast<uint8_t>(*from >> 4));
  }
  if (n % 2 != 0) to[n - 1] = int4(*from & 15U);
}

void unpack_int5(const uint8_t* from, size_t n, float* to) {
  for (size_t i = 0; i < n; i += kInt5Codes) {
    const size_t in_unit = std::min(kInt5Codes, n - i);
    const uint64_t n_bytes = code_bytes(DType::Int5, in_unit);
    uint64_t bits = 0;
    for (uint64_t k = 0; k < n_bytes; ++k) bits |= uint64_t{*from++} << (8 * k);
    for (size_t k = 0; k < in_unit; ++k, bits >>= 5) {
      to[i + k] = static_cast<float>((static_cast<int>(bits & 31U) ^ 16) - 16);
    }
  }
}

void pack_int5(const int8_t* from, size_t n, uint8_t* to) {
  for (size_t i = 0; i < n; i += kInt5Codes) {
    const size_t in_unit = std::min(kInt5Codes, n - i);
    uint64_t bits = 0;
    for (size_t k = 0; k < in_unit; ++k) {
      bits |= (static_cast<uint64_t>(from[i + k]) & 31U) << (5 * k);
    }
    const uint64_t n_bytes = code_bytes(DType::Int5, in_unit);
    for (uint64_t k = 0; k < n_bytes; ++k) *to++ = static_cast<uint8_t>(bits >> (8 * k));
  }
}

}  // namespace

static_assert(kInt5Codes == codes_per_unit(DType::Int5) && kInt5Bytes == unit_bytes(DType::Int5));

void unpack_codes(DType code, const uint8_t* from, size_t n, float* to) {
  if (code == DType::Int4) return unpack_int4(from, n, to);
  if (code == DType::Int5) return unpack_int5(from, n, to);
  if (code == DType::F16) {
    for (size_t i = 0; i < n; ++i) to[i] = f16_to_f32(load_le<uint16_t>(from + 2 * i));
    return;
  }
  assert(code == DType::Int8);
  for (size_t i = 0; i < n; ++i) to[i] = static_cast<float>(static_cast<int8_t>(from[i]));
}

void pack_codes(DType code, const int8_t* from, size_t n, uint8_t* to) {
  if (code == DType::Int5) return pack_int5(from, n, to);
  if (code == DType::Int4) {
    for (size_t i = 0; i < n / 2; ++i) {
      to[i] = static_cast<uint8_t>((from[2 * i] & 15) | (from[2 * i + 1] & 15) << 4);
    }
    if (n % 2 != 0) to[n / 2] = from[n - 1] & 15;
    return;
  }
  assert(code == DType::Int8);
  std::copy_n(reinterpret_cast<const uint8_t*>(from), n, to);
}

}  // namespace ambry::tensor
