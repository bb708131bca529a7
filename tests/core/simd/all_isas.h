// The instruction sets that a build tests, as GoogleTest's types: TYPED_TEST_SUITE(DotTest,
// TypedIsas, IsaNames);
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "repetitions.h"
#include "simd/isa.h"

namespace ambry {

// Kernels and their tests are compiled once for each of these, so builds share the work: the
// relaxed flavour leaves the others to the baseline flavour. With sanitizers, Scalar would touch
// the same memory as Baseline.
#if defined(AMBRY_SIMD_RELAXED)
using TestedIsas = simd::IsaList<simd::Relaxed>;
#elif defined(AMBRY_HAS_RELAXED)
using TestedIsas = std::conditional_t<testing::kSanitized,
                                      simd::IsaList<simd::Baseline, simd::Relaxed>, simd::AllIsas>;
#else
using TestedIsas = simd::AllIsas;
#endif

template <class List>
struct ToGtestTypes;
template <class... Isas>
struct ToGtestTypes<simd::IsaList<Isas...>> {
  using Types = ::testing::Types<Isas...>;
};
using TypedIsas = ToGtestTypes<TestedIsas>::Types;

struct IsaNames {
  template <class V>
  static std::string GetName(int) {
    return V::kName;
  }
};

}  // namespace ambry
