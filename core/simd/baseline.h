// Baseline: four lanes of WebAssembly SIMD-128. In a native build the same intrinsics come from
// SIMDe, so tests and sanitizers run the same source that is shipped.
//
// An instruction set is a type with static operations and no state. Kernels take it as `class V`.
// Names follow the lane type: i32 is one integer per 32-bit lane, i16x2 two, i8x4 four bytes.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

namespace ambry::simd {

// A constant in memory, for splatting loads. V8 spends three instructions on a constant vector that
// is written into the code, every time that code runs. That is more than a step of a polynomial
// costs.
template <auto kValue>
inline constexpr auto kInMemory = kValue;

// The address of a constant, hidden from the optimizer.
template <auto kValue>
[[nodiscard]] inline auto* address_of_constant() {
  auto* address = &kInMemory<kValue>;
#if defined(__wasm_simd128__)
  asm("" : "+r"(address));
#endif
  return address;
}

struct Baseline {
  using Fused = Baseline;  // the same operations with a faster madd(), if there is one
  using F32 = v128_t;
  using Mask = v128_t;  // all bits of a lane set or clear
  static constexpr const char* kName = "baseline";
  static constexpr size_t kLanes = 4;
  // Whether madd() is one instruction that needs no register for the product.
  static constexpr bool kFusedMadd = false;
  // Whether add_dot_i8x4() is faster than dot_i16x2() on twice as many lanes.
  static constexpr bool kFastInt8Dot = false;

  static F32 zero() { return wasm_f32x4_splat(0.0F); }
  static F32 splat(float value) { return wasm_f32x4_splat(value); }
  // A constant in all lanes, read from memory (kInMemory), for loops that are short of
  // instructions.
  template <float kValue>
  static F32 constant() {
    return wasm_v128_load32_splat(address_of_constant<kValue>());
  }
  // Any alignment.
  static F32 load(const float* from) { return wasm_v128_load(from); }
  static void store(float* to, F32 v) { wasm_v128_store(to, v); }
  // The first n < kLanes lanes, for the tail of a row. Loading fills the other lanes with 0.
  static F32 load_partial(const float* from, size_t n) {
    assert(n < kLanes);
    float lanes[kLanes] = {};
    for (size_t i = 0; i < n; ++i) lanes[i] = from[i];
    return load(lanes);
  }
  static void store_partial(float* to, size_t n, F32 v) {
    assert(n < kLanes);
    float lanes[kLanes];
    store(lanes, v);
    for (size_t i = 0; i < n; ++i) to[i] = lanes[i];
  }
  // Swaps lane i of square[j] with lane j of square[i].
  static void transpose(F32 (&square)[kLanes]) {
    const v128_t a = wasm_i32x4_shuffle(square[0], square[1], 0, 4, 1, 5);
    const v128_t b = wasm_i32x4_shuffle(square[2], square[3], 0, 4, 1, 5);
    const v128_t c = wasm_i32x4_shuffle(square[0], square[1], 2, 6, 3, 7);
    const v128_t d = wasm_i32x4_shuffle(square[2], square[3], 2, 6, 3, 7);
    square[0] = wasm_i64x2_shuffle(a, b, 0, 2);
    square[1] = wasm_i64x2_shuffle(a, b, 1, 3);
    square[2] = wasm_i64x2_shuffle(c, d, 0, 2);
    square[3] = wasm_i64x2_shuffle(c, d, 1, 3);
  }
  // Widens kLanes int8.
  static F32 load_i8(const int8_t* from) {
    const v128_t bytes = wasm_v128_load32_zero(from);
    return wasm_f32x4_convert_i32x4(
        wasm_i32x4_extend_low_i16x8(wasm_i16x8_extend_low_i8x16(bytes)));
  }

  // Widens kLanes values of IEEE 754 binary16, or of bfloat16.
  static F32 load_f16(const uint16_t* from) {
    const v128_t bits = wasm_u32x4_load16x4(from);
    const v128_t sign = wasm_i32x4_shl(wasm_v128_and(bits, constant_i32<0x8000>()), 16);
    const v128_t magnitude = wasm_i32x4_shl(wasm_v128_and(bits, constant_i32<0x7FFF>()), 13);
    // 2^112 moves the exponent bias. Infinity and NaN come out at 65536 and above.
    const v128_t scaled = mul(magnitude, constant<0x1p112F>());
    const v128_t special =
        wasm_v128_and(wasm_f32x4_ge(scaled, constant<65536.0F>()), constant_i32<0x7F800000>());
    return wasm_v128_or(wasm_v128_or(scaled, special), sign);
  }
  // Loads and widens f16 that are neither infinite nor NaN, in half as many instructions.
  static F32 load_finite_f16(const uint16_t* from) {
    // The shift is of a signed value, so bits 28 to 30 repeat the sign.
    const v128_t placed = wasm_i32x4_shl(wasm_i32x4_load16x4(from), 13);
    const v128_t small = wasm_v128_and(placed, constant_i32<static_cast<int32_t>(0x8FFFE000U)>());
    return mul(small, constant<0x1p112F>());
  }
  static F32 load_bf16(const uint16_t* from) {
    return wasm_i32x4_shl(wasm_u32x4_load16x4(from), 16);
  }
  // Rounds kLanes values to binary16: to nearest, ties to even. Values that are too large become
  // infinity.
  static void store_f16(uint16_t* to, F32 v) {
    const v128_t magnitude = wasm_v128_and(v, wasm_i32x4_splat(INT32_MAX));
    // For a subnormal result, adding a half rounds at its lowest bit.
    const v128_t tiny = wasm_i32x4_sub(add(magnitude, splat(0.5F)), wasm_i32x4_splat(0x3F000000));
    const v128_t odd = wasm_v128_and(wasm_u32x4_shr(magnitude, 13), wasm_i32x4_splat(1));
    const v128_t rebased = wasm_i32x4_sub(magnitude, wasm_i32x4_splat(0x38000000 - 0xFFF));
    const v128_t normal = wasm_u32x4_shr(wasm_i32x4_add(rebased, odd), 13);
    v128_t half =
        wasm_v128_bitselect(tiny, normal, wasm_i32x4_lt(magnitude, wasm_i32x4_splat(0x38800000)));
    const v128_t large = wasm_i32x4_gt(magnitude, wasm_i32x4_splat(0x477FEFFF));
    half = wasm_v128_bitselect(wasm_i32x4_splat(0x7C00), half, large);
    const v128_t payload = wasm_v128_and(wasm_u32x4_shr(magnitude, 13), wasm_i32x4_splat(0x3FF));
    const v128_t nan = wasm_i32x4_gt(magnitude, wasm_i32x4_splat(0x7F800000));
    half = wasm_v128_bitselect(wasm_v128_or(payload, wasm_i32x4_splat(0x7E00)), half, nan);
    const v128_t sign = wasm_v128_and(wasm_u32x4_shr(v, 16), wasm_i32x4_splat(0x8000));
    const v128_t halves = wasm_v128_or(half, sign);
    wasm_v128_store64_lane(to, wasm_u16x8_narrow_i32x4(halves, halves), 0);
  }

  static F32 add(F32 a, F32 b) { return wasm_f32x4_add(a, b); }
  static F32 sub(F32 a, F32 b) { return wasm_f32x4_sub(a, b); }
  static F32 mul(F32 a, F32 b) { return wasm_f32x4_mul(a, b); }
  static F32 div(F32 a, F32 b) { return wasm_f32x4_div(a, b); }
  // a * b + c, rounded once or twice.
  static F32 madd(F32 a, F32 b, F32 c) { return add(mul(a, b), c); }
  // `b < a ? b : a` and `a < b ? b : a`: a NaN in the first operand stays.
  static F32 min(F32 a, F32 b) { return wasm_f32x4_pmin(a, b); }
  static F32 max(F32 a, F32 b) { return wasm_f32x4_pmax(a, b); }

  static Mask less(F32 a, F32 b) { return wasm_f32x4_lt(a, b); }
  static Mask equal(F32 a, F32 b) { return wasm_f32x4_eq(a, b); }
  static F32 select(Mask mask, F32 yes, F32 no) { return wasm_v128_bitselect(yes, no, mask); }

  // v * 2^n, where n is the integer in the low bits of biased_n = n + 1.5 * 2^23. Only the exponent
  // field changes, so v and the result must be normal.
  static F32 add_exponent(F32 v, F32 biased_n) {
    return wasm_i32x4_add(v, wasm_i32x4_shl(biased_n, 23));
  }

  static F32 abs(F32 v) { return wasm_f32x4_abs(v); }
  static F32 floor(F32 v) { return wasm_f32x4_floor(v); }
  // Stores integral values that fit 32 bits.
  static void store_truncated_i32(int32_t* to, F32 v) {
    wasm_v128_store(to, wasm_i32x4_trunc_sat_f32x4(v));
  }

  // As many 32-bit integers as there are lanes. Sums and products wrap.
  using I32 = v128_t;
  template <int32_t kValue>
  static I32 constant_i32() {
    return wasm_v128_load32_splat(address_of_constant<kValue>());
  }
  static I32 splat_i32(int32_t value) { return wasm_i32x4_splat(value); }
  static I32 load_i32(const int32_t* from) { return wasm_v128_load(from); }
  static void store_i32(int32_t* to, I32 v) { wasm_v128_store(to, v); }
  static I32 add_i32(I32 a, I32 b) { return wasm_i32x4_add(a, b); }
  static I32 sub_i32(I32 a, I32 b) { return wasm_i32x4_sub(a, b); }
  static I32 mul_i32(I32 a, I32 b) { return wasm_i32x4_mul(a, b); }
  // The bits of a float.
  static I32 bits_as_i32(F32 v) { return v; }
  static F32 to_f32(I32 v) { return wasm_f32x4_convert_i32x4(v); }
  static F32 trunc(F32 v) { return wasm_f32x4_trunc(v); }
  // |v| with the sign of `sign`.
  static F32 copysign(F32 v, F32 sign) {
    const v128_t bit = wasm_i32x4_splat(INT32_MIN);
    return wasm_v128_or(wasm_v128_andnot(v, bit), wasm_v128_and(sign, bit));
  }
  // Rounds towards 0. NaN and values beyond 32 bits become INT32_MIN, as x86 converts.
  static I32 to_i32(F32 v) {
    const v128_t fits = wasm_f32x4_lt(v, wasm_f32x4_splat(2147483648.0F));
    return wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4(v), wasm_i32x4_splat(INT32_MIN), fits);
  }
  // Sign-extends the lowest 16 bits of every lane.
  static I32 sign_extend_i16(I32 v) { return wasm_i32x4_shr(wasm_i32x4_shl(v, 16), 16); }
  // Stores kLanes bytes, each clamped to 0 … 255.
  static void store_u8(uint8_t* to, I32 v) {
    const v128_t halves = wasm_i16x8_narrow_i32x4(v, v);
    wasm_v128_store32_lane(to, wasm_u8x16_narrow_i16x8(halves, halves), 0);
  }

  // Lanes as two int16, the first in the lower half.
  static I32 load_i16x2(const int16_t* from) { return wasm_v128_load(from); }
  static void store_i16x2(int16_t* to, I32 v) { wasm_v128_store(to, v); }
  // Widens kLanes int16 to 32 bits.
  static I32 load_i16(const int16_t* from) { return wasm_i32x4_load16x4(from); }
  static I32 splat_i16x2(const int16_t* from) { return wasm_v128_load32_splat(from); }
  static I32 pack_i16x2(I32 first, I32 second) {
    return wasm_v128_or(wasm_v128_and(first, wasm_i32x4_splat(0xFFFF)), wasm_i32x4_shl(second, 16));
  }
  // Sign-extends the even ones of the four bytes of every lane to two int16.
  static I32 widen_even_i8(I32 v) { return wasm_i16x8_shr(wasm_i16x8_shl(v, 8), 8); }
  // Sign-extends the odd ones of the four bytes of every lane to two int16.
  static I32 widen_odd_i8(I32 v) { return wasm_i16x8_shr(v, 8); }
  // a.first * b.first + a.second * b.second
  static I32 dot_i16x2(I32 a, I32 b) { return wasm_i32x4_dot_i16x8(a, b); }

  // Stores kLanes values that fit 16 bits.
  static void store_i16(int16_t* to, I32 v) {
    wasm_v128_store64_lane(to, wasm_i16x8_narrow_i32x4(v, v), 0);
  }
  // Widens 2 * kLanes int8 to pairs.
  static I32 load_i8_as_i16x2(const int8_t* from) { return wasm_i16x8_load8x8(from); }
  static I32 and_i32(I32 a, I32 b) { return wasm_v128_and(a, b); }
  static I32 or_i32(I32 a, I32 b) { return wasm_v128_or(a, b); }
  static I32 xor_i32(I32 a, I32 b) { return wasm_v128_xor(a, b); }
  static I32 shift_left(I32 v, uint32_t n) { return wasm_i32x4_shl(v, n); }
  // Divides every lane by 2^n, rounding down. The second does so for both values of every pair,
  // taken as unsigned.
  static I32 shift_right(I32 v, uint32_t n) { return wasm_i32x4_shr(v, n); }
  static I32 shift_right_u16x2(I32 v, uint32_t n) { return wasm_u16x8_shr(v, n); }
  static I32 sub_i16x2(I32 a, I32 b) { return wasm_i16x8_sub(a, b); }
  // The lower 16 bits of both products.
  static I32 mul_i16x2(I32 a, I32 b) { return wasm_i16x8_mul(a, b); }
  static int32_t reduce_add_i32(I32 v) {
    uint32_t lanes[kLanes];
    wasm_v128_store(lanes, v);
    return static_cast<int32_t>(lanes[0] + lanes[1] + lanes[2] + lanes[3]);
  }

  // Lanes as four bytes, the first in the lowest.
  static I32 load_i8x4(const void* from) { return wasm_v128_load(from); }
  static I32 splat_i8x4(const void* from) { return wasm_v128_load32_splat(from); }
  static void store_i8x4(uint8_t* to, I32 v) { wasm_v128_store(to, v); }
  // Lane i gets byte i of each.
  static I32 interleave_i8x4(const uint8_t* a, const uint8_t* b, const uint8_t* c,
                             const uint8_t* d) {
    const v128_t ab = wasm_i8x16_shuffle(wasm_v128_load32_zero(a), wasm_v128_load32_zero(b), 0, 16,
                                         1, 17, 2, 18, 3, 19, 0, 0, 0, 0, 0, 0, 0, 0);
    const v128_t cd = wasm_i8x16_shuffle(wasm_v128_load32_zero(c), wasm_v128_load32_zero(d), 0, 16,
                                         1, 17, 2, 18, 3, 19, 0, 0, 0, 0, 0, 0, 0, 0);
    return wasm_i16x8_shuffle(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11);
  }
  // A table of 16 bytes. Every byte of `indices`, which must be below 16, becomes the table's byte.
  using Table = v128_t;
  static Table load_table(const void* from) { return wasm_v128_load(from); }
  static I32 look_up(Table table, I32 indices) { return wasm_i8x16_swizzle(table, indices); }
  // sum + the products of four signed bytes of a and four bytes of b, which must be below 128.
  static I32 add_dot_i8x4(I32 a, I32 b, I32 sum) {
    const I32 even = dot_i16x2(widen_even_i8(a), widen_even_i8(b));
    return add_i32(sum, add_i32(even, dot_i16x2(widen_odd_i8(a), widen_odd_i8(b))));
  }

  // Every byte becomes the number of its bits that are set.
  static I32 popcount_i8x4(I32 v) { return wasm_i8x16_popcnt(v); }
  // Every lane becomes the sum of its four bytes, which are taken as unsigned.
  static I32 sum_u8x4(I32 v) {
    return wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(v));
  }

  // How often each lane's mask was set, up to 2^32 - 1 times.
  using Count = v128_t;
  static Count no_count() { return wasm_i32x4_splat(0); }
  static Count count(Count so_far, Mask mask) { return wasm_i32x4_sub(so_far, mask); }
  static uint64_t reduce_count(Count count) {
    uint32_t lanes[kLanes];
    wasm_v128_store(lanes, count);
    return uint64_t{lanes[0]} + lanes[1] + lanes[2] + lanes[3];
  }

  // As many doubles as there are lanes.
  struct F64 {
    v128_t low;
    v128_t high;
  };
  static F64 splat64(double value) { return {wasm_f64x2_splat(value), wasm_f64x2_splat(value)}; }
  static F64 load64(const double* from) {
    return {wasm_v128_load(from), wasm_v128_load(from + kLanes / 2)};
  }
  static void store64(double* to, F64 v) {
    wasm_v128_store(to, v.low);
    wasm_v128_store(to + kLanes / 2, v.high);
  }
  static F64 widen(F32 v) {
    return {wasm_f64x2_promote_low_f32x4(v),
            wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(v, v, 1, 1))};
  }
  static F64 add64(F64 a, F64 b) {
    return {wasm_f64x2_add(a.low, b.low), wasm_f64x2_add(a.high, b.high)};
  }
  static F64 sub64(F64 a, F64 b) {
    return {wasm_f64x2_sub(a.low, b.low), wasm_f64x2_sub(a.high, b.high)};
  }
  static F64 mul64(F64 a, F64 b) {
    return {wasm_f64x2_mul(a.low, b.low), wasm_f64x2_mul(a.high, b.high)};
  }
  // (0 + 2) + (1 + 3), like reduce_add().
  static double reduce_add64(F64 v) {
    const v128_t sum = wasm_f64x2_add(v.low, v.high);
    return wasm_f64x2_extract_lane(sum, 0) + wasm_f64x2_extract_lane(sum, 1);
  }

  // Sums the lanes, always in the same order: (0 + 2) + (1 + 3).
  static float reduce_add(F32 v) {
    return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 2)) +
           (wasm_f32x4_extract_lane(v, 1) + wasm_f32x4_extract_lane(v, 3));
  }
  static float reduce_min(F32 v) { return -reduce_max(wasm_f32x4_neg(v)); }
  static float reduce_max(F32 v) {
    float lanes[kLanes];
    store(lanes, v);
    float best = lanes[0];
    for (size_t i = 1; i < kLanes; ++i) best = best < lanes[i] ? lanes[i] : best;
    return best;
  }
};

}  // namespace ambry::simd
