// The instruction sets of this build. Kernels are templates over them; the product runs `Best`, the
// tests run `AllIsas`. There is no dispatch at run time: each WebAssembly flavour is its own
// module, and JavaScript picks one.
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

// Natively the relaxed set is a slow twin made for tests.
#if defined(AMBRY_SIMD_RELAXED)
using Best = Relaxed;
#else
using Best = Baseline;
#endif

}  // namespace ambry::simd
