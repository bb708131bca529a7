// Instruction sets like those of machines that this one is not: what relaxed products of bytes are
// where the second factor has its eighth bit set (kernels/gemm/relaxed_dot_probe.h).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "kernels/gemm/relaxed_dot_probe.h"
#include "simd/isa.h"

namespace ambry::kernels {

template <HighBytes kHigh>
struct OtherMachine : simd::Baseline {
  static constexpr const char* kName = kHigh == HighBytes::Unsigned ? "high_bytes_unsigned"
                                       : kHigh == HighBytes::Signed ? "high_bytes_signed"
                                                                    : "high_bytes_unusable";
  static constexpr bool kFastQuads = true;

  static I32 add_dot_quads(I32 a, I32 b, I32 sum) {
    uint8_t left[4 * kLanes];
    uint8_t right[4 * kLanes];
    int32_t sums[kLanes];
    store_quads(left, a);
    store_quads(right, b);
    store_ints(sums, sum);
    for (size_t i = 0; i < 4 * kLanes; i += 2) {
      int32_t two = product(left[i], right[i]) + product(left[i + 1], right[i + 1]);
      if (kHigh == HighBytes::Unusable) two = std::clamp(two, INT16_MIN, INT16_MAX);
      int32_t& to = sums[i / 4];
      to = static_cast<int32_t>(static_cast<uint32_t>(to) + static_cast<uint32_t>(two));
    }
    return load_ints(sums);
  }

 private:
  static int32_t product(uint8_t a, uint8_t b) {
    return static_cast<int8_t>(a) *
           (kHigh == HighBytes::Signed ? int32_t{static_cast<int8_t>(b)} : int32_t{b});
  }
};

template <class List>
struct WithOtherMachines;
template <class... Isas>
struct WithOtherMachines<simd::IsaList<Isas...>> {
  using Types =
      ::testing::Types<Isas..., OtherMachine<HighBytes::Unsigned>, OtherMachine<HighBytes::Signed>,
                       OtherMachine<HighBytes::Unusable>>;
};
using TypedMachines = WithOtherMachines<simd::AllIsas>::Types;

}  // namespace ambry::kernels
