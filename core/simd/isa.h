// The instruction sets of this build. Kernels are templates over them: the product runs `Best`, the
// tests run those of `AllIsas` (tests/core/simd/all_isas.h). Nothing is dispatched at run time:
// each build of the WebAssembly modules has one instruction set, and JavaScript picks the build.
#pragma once

#include "simd/baseline.h"
#include "simd/relaxed.h"
#include "simd/scalar.h"

namespace ambry::simd {

template <class... Isas>
struct IsaList {};

#if defined(AMBRY_HAS_RELAXED)
using AllIsas = IsaList<Scalar, Baseline, Relaxed>;
#else
using AllIsas = IsaList<Scalar, Baseline>;
#endif

// In a native build Relaxed is only a slow emulation for tests.
#if defined(AMBRY_SIMD_RELAXED)
using Best = Relaxed;
#else
using Best = Baseline;
#endif

}  // namespace ambry::simd
