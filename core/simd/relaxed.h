// SIMD-128 with the relaxed instructions. Relaxed uses them only where every engine and processor
// gives the same bits. FusedRelaxed adds the multiply-add, which may round once or twice as the
// engine likes. The native emulation rounds once, as every machine with an FMA unit does.
#pragma once

#include "simd/baseline.h"

#if defined(AMBRY_SIMD_RELAXED) || !defined(__wasm_simd128__)
#define AMBRY_HAS_RELAXED 1

#if !defined(__wasm_simd128__)
#include <cmath>
#endif

namespace ambry::simd {

struct FusedRelaxed;

struct Relaxed : Baseline {
  using Fused = FusedRelaxed;
  static constexpr const char* kName = "relaxed";
  static constexpr bool kFastInt8Dot = true;

#if defined(__wasm_simd128__)
  // Indices below 16 mean the same in every engine.
  static I32 look_up(Table table, I32 indices) {
    return wasm_i8x16_relaxed_swizzle(table, indices);
  }
  // Every engine gives the same result for bytes of b below 128. For others the result depends on
  // the machine, but never varies on one machine (kernels/gemm/groups/relaxed_dot_probe.h asks it).
  static I32 add_dot_i8x4(I32 a, I32 b, I32 sum) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, sum);
  }
#endif
};

struct FusedRelaxed : Relaxed {
  static constexpr const char* kName = "fused_relaxed";
  static constexpr bool kFusedMadd = true;

#if defined(__wasm_simd128__)
  static F32 madd(F32 a, F32 b, F32 c) { return wasm_f32x4_relaxed_madd(a, b, c); }
#else
  static F32 madd(F32 a, F32 b, F32 c) {
    float x[kLanes];
    float y[kLanes];
    float z[kLanes];
    store(x, a);
    store(y, b);
    store(z, c);
    for (size_t i = 0; i < kLanes; ++i) z[i] = std::fma(x[i], y[i], z[i]);
    return load(z);
  }
#endif
};

}  // namespace ambry::simd

#endif
