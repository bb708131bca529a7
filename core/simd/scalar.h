// One lane of ordinary float arithmetic: the reference for every wider instruction set, running the
// same kernel source. baseline.h states what each operation means.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/half.h"

namespace ambry::simd {

struct Scalar {
  using Fused = Scalar;
  using F32 = float;
  using Mask = bool;
  static constexpr const char* kName = "scalar";
  static constexpr size_t kLanes = 1;
  static constexpr bool kFusedMadd = false;
  static constexpr bool kFastInt8Dot = false;

  static F32 zero() { return 0.0F; }
  static F32 splat(float value) { return value; }
  template <float kValue>
  static F32 constant() {
    return kValue;
  }
  static F32 load(const float* from) { return *from; }
  static void store(float* to, F32 v) { *to = v; }
  static F32 load_partial([[maybe_unused]] const float* from, [[maybe_unused]] size_t n) {
    assert(n == 0);
    return 0.0F;
  }
  static void store_partial([[maybe_unused]] float* to, [[maybe_unused]] size_t n,
                            [[maybe_unused]] F32 v) {
    assert(n == 0);
  }
  static void transpose(F32 (& /*square*/)[kLanes]) {}
  static F32 load_i8(const int8_t* from) { return *from; }

  static F32 load_f16(const uint16_t* from) { return f16_to_f32(*from); }
  static F32 load_finite_f16(const uint16_t* from) { return f16_to_f32(*from); }
  static F32 load_bf16(const uint16_t* from) { return bf16_to_f32(*from); }
  static void store_f16(uint16_t* to, F32 v) { *to = f32_to_f16(v); }

  static F32 add(F32 a, F32 b) { return a + b; }
  static F32 sub(F32 a, F32 b) { return a - b; }
  static F32 mul(F32 a, F32 b) { return a * b; }
  static F32 div(F32 a, F32 b) { return a / b; }
  static F32 madd(F32 a, F32 b, F32 c) { return a * b + c; }
  static F32 min(F32 a, F32 b) { return b < a ? b : a; }
  static F32 max(F32 a, F32 b) { return a < b ? b : a; }

  static Mask less(F32 a, F32 b) { return a < b; }
  static Mask equal(F32 a, F32 b) { return a == b; }
  static F32 select(Mask mask, F32 yes, F32 no) { return mask ? yes : no; }

  static F32 add_exponent(F32 v, F32 biased_n) {
    const uint32_t shifted = std::bit_cast<uint32_t>(biased_n) << 23;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(v) + shifted);
  }

  static F32 abs(F32 v) { return std::fabs(v); }
  static F32 floor(F32 v) { return std::floor(v); }
  static void store_truncated_i32(int32_t* to, F32 v) { *to = static_cast<int32_t>(v); }

  using I32 = int32_t;
  template <int32_t kValue>
  static I32 constant_i32() {
    return kValue;
  }
  static I32 splat_i32(int32_t value) { return value; }
  static I32 load_i32(const int32_t* from) { return *from; }
  static void store_i32(int32_t* to, I32 v) { *to = v; }
  static I32 add_i32(I32 a, I32 b) { return wrapped(bits(a) + bits(b)); }
  static I32 sub_i32(I32 a, I32 b) { return wrapped(bits(a) - bits(b)); }
  static I32 mul_i32(I32 a, I32 b) { return wrapped(bits(a) * bits(b)); }
  static I32 bits_as_i32(F32 v) { return std::bit_cast<int32_t>(v); }
  static F32 to_f32(I32 v) { return static_cast<float>(v); }
  static F32 trunc(F32 v) { return std::trunc(v); }
  static F32 copysign(F32 v, F32 sign) { return std::copysign(v, sign); }
  static I32 to_i32(F32 v) {
    const bool fits = v >= -2147483648.0F && v < 2147483648.0F;
    return fits ? static_cast<int32_t>(v) : INT32_MIN;
  }
  static I32 sign_extend_i16(I32 v) { return static_cast<int16_t>(bits(v) & 0xFFFFU); }
  static void store_u8(uint8_t* to, I32 v) {
    *to = static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
  }

  static I32 load_i16x2(const int16_t* from) { return pack_i16x2(from[0], from[1]); }
  static void store_i16x2(int16_t* to, I32 v) {
    to[0] = static_cast<int16_t>(sign_extend_i16(v));
    to[1] = static_cast<int16_t>(v >> 16);
  }
  static I32 load_i16(const int16_t* from) { return *from; }
  static I32 splat_i16x2(const int16_t* from) { return load_i16x2(from); }
  static I32 pack_i16x2(I32 first, I32 second) {
    return wrapped((bits(first) & 0xFFFFU) | bits(second) << 16U);
  }
  static I32 widen_even_i8(I32 v) {
    const auto low_byte = [](int32_t half) { return int32_t{static_cast<int8_t>(half & 0xFF)}; };
    return pack_i16x2(low_byte(v), low_byte(v >> 16));
  }
  static I32 widen_odd_i8(I32 v) { return pack_i16x2(sign_extend_i16(v) >> 8, v >> 24); }
  static I32 dot_i16x2(I32 a, I32 b) {
    return add_i32(mul_i32(sign_extend_i16(a), sign_extend_i16(b)), mul_i32(a >> 16, b >> 16));
  }
  static void store_i16(int16_t* to, I32 v) { *to = static_cast<int16_t>(v); }
  static I32 load_i8_as_i16x2(const int8_t* from) { return pack_i16x2(from[0], from[1]); }
  static I32 and_i32(I32 a, I32 b) { return wrapped(bits(a) & bits(b)); }
  static I32 or_i32(I32 a, I32 b) { return wrapped(bits(a) | bits(b)); }
  static I32 xor_i32(I32 a, I32 b) { return wrapped(bits(a) ^ bits(b)); }
  static I32 shift_left(I32 v, uint32_t n) { return wrapped(bits(v) << n); }
  static I32 shift_right(I32 v, uint32_t n) { return v >> n; }
  static I32 shift_right_u16x2(I32 v, uint32_t n) {
    return pack_i16x2(wrapped((bits(v) & 0xFFFFU) >> n), wrapped(bits(v) >> 16 >> n));
  }
  static I32 sub_i16x2(I32 a, I32 b) {
    return pack_i16x2(sub_i32(a, b), sub_i32(a >> 16, b >> 16));
  }
  static I32 mul_i16x2(I32 a, I32 b) {
    return pack_i16x2(mul_i32(sign_extend_i16(a), sign_extend_i16(b)), mul_i32(a >> 16, b >> 16));
  }
  static int32_t reduce_add_i32(I32 v) { return v; }

  static I32 load_i8x4(const void* from) {
    const auto* bytes = static_cast<const uint8_t*>(from);
    return join(bytes[0], bytes[1], bytes[2], bytes[3]);
  }
  static I32 splat_i8x4(const void* from) { return load_i8x4(from); }
  static I32 interleave_i8x4(const uint8_t* a, const uint8_t* b, const uint8_t* c,
                             const uint8_t* d) {
    return join(*a, *b, *c, *d);
  }
  static void store_i8x4(uint8_t* to, I32 v) {
    for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(bits(v) >> 8 * i & 0xFFU);
  }
  using Table = const uint8_t*;
  static Table load_table(const void* from) { return static_cast<const uint8_t*>(from); }
  static I32 look_up(Table table, I32 indices) {
    const auto at = [&](unsigned i) { return table[bits(indices) >> 8 * i & 0xFFU]; };
    return join(at(0), at(1), at(2), at(3));
  }
  static I32 add_dot_i8x4(I32 a, I32 b, I32 sum) {
    for (unsigned i = 0; i < 4; ++i) {
      const auto factor = static_cast<int8_t>(bits(a) >> 8 * i & 0xFFU);
      sum = add_i32(sum, factor * wrapped(bits(b) >> 8 * i & 0xFFU));
    }
    return sum;
  }

  static I32 popcount_i8x4(I32 v) {
    const auto count = [&](unsigned i) {
      return static_cast<uint32_t>(std::popcount(bits(v) >> 8 * i & 0xFFU));
    };
    return join(count(0), count(1), count(2), count(3));
  }
  static I32 sum_u8x4(I32 v) {
    const uint32_t b = bits(v);
    return wrapped((b & 0xFFU) + (b >> 8 & 0xFFU) + (b >> 16 & 0xFFU) + (b >> 24));
  }

  using Count = uint32_t;
  static Count no_count() { return 0; }
  static Count count(Count so_far, Mask mask) { return so_far + (mask ? 1U : 0U); }
  static uint64_t reduce_count(Count count) { return count; }

  using F64 = double;
  static F64 splat64(double value) { return value; }
  static F64 load64(const double* from) { return *from; }
  static void store64(double* to, F64 v) { *to = v; }
  static F64 widen(F32 v) { return v; }
  static F64 add64(F64 a, F64 b) { return a + b; }
  static F64 sub64(F64 a, F64 b) { return a - b; }
  static F64 mul64(F64 a, F64 b) { return a * b; }
  static double reduce_add64(F64 v) { return v; }

  static float reduce_add(F32 v) { return v; }
  static float reduce_min(F32 v) { return v; }
  static float reduce_max(F32 v) { return v; }

 private:
  static uint32_t bits(int32_t v) { return static_cast<uint32_t>(v); }
  static int32_t wrapped(uint32_t v) { return static_cast<int32_t>(v); }
  static I32 join(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return wrapped(a | b << 8U | c << 16U | d << 24U);
  }
};

}  // namespace ambry::simd
