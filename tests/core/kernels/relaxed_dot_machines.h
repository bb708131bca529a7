// Tests on machines other than this one: they differ in relaxed byte products whose second factor
// has its eighth bit set (kernels/gemm/groups/relaxed_dot_probe.h).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm/groups/relaxed_dot_probe.h"
#include "simd/all_isas.h"

namespace ambry::kernels {

// One instruction set for all of these machines. With a type for each, the compiler would make
// every kernel three times, and that takes most of the compilation of the tests.
struct EmulatedRelaxed : simd::Baseline {
  static constexpr bool kFastInt8Dot = true;
  static inline RelaxedDotOperand machine = RelaxedDotOperand::Unsigned;

  // Not inlined into every unrolled kernel, for the same reason.
  [[gnu::noinline]] static I32 add_dot_i8x4(I32 a, I32 b, I32 sum) {
    uint8_t left[4 * kLanes];
    uint8_t right[4 * kLanes];
    int32_t sums[kLanes];
    store_i8x4(left, a);
    store_i8x4(right, b);
    store_i32(sums, sum);
    for (size_t i = 0; i < 4 * kLanes; i += 2) {
      int32_t two = product(left[i], right[i]) + product(left[i + 1], right[i + 1]);
      if (machine == RelaxedDotOperand::SevenBits) two = std::clamp(two, INT16_MIN, INT16_MAX);
      int32_t& to = sums[i / 4];
      to = static_cast<int32_t>(static_cast<uint32_t>(to) + static_cast<uint32_t>(two));
    }
    return load_i32(sums);
  }

 private:
  static int32_t product(uint8_t a, uint8_t b) {
    return static_cast<int8_t>(a) *
           (machine == RelaxedDotOperand::Signed ? int32_t{static_cast<int8_t>(b)} : int32_t{b});
  }
};

// Such a machine as a parameter of tests.
template <RelaxedDotOperand kHigh>
struct RelaxedDotMachine {
  static constexpr const char* kName = kHigh == RelaxedDotOperand::Unsigned ? "relaxed_dot_unsigned"
                                       : kHigh == RelaxedDotOperand::Signed ? "relaxed_dot_signed"
                                                                            : "relaxed_dot_7_bits";
};

// The fixture of tests whose parameter is an instruction set or a RelaxedDotMachine.
template <class Parameter>
class MachineTest : public ::testing::Test {
 protected:
  using V = Parameter;
};
template <RelaxedDotOperand kHigh>
class MachineTest<RelaxedDotMachine<kHigh>> : public ::testing::Test {
 protected:
  using V = EmulatedRelaxed;
  MachineTest() { EmulatedRelaxed::machine = kHigh; }
};

template <class List>
struct WithRelaxedDotMachines;
template <class... Isas>
struct WithRelaxedDotMachines<simd::IsaList<Isas...>> {
  using Types = ::testing::Types<Isas..., RelaxedDotMachine<RelaxedDotOperand::Unsigned>,
                                 RelaxedDotMachine<RelaxedDotOperand::Signed>,
                                 RelaxedDotMachine<RelaxedDotOperand::SevenBits>>;
};
// Emulated machines touch the memory that Relaxed touches, so sanitizers find nothing more there.
using TypedMachines = std::conditional_t<ambry::testing::kSanitized, TypedIsas,
                                         WithRelaxedDotMachines<TestedIsas>::Types>;

}  // namespace ambry::kernels
