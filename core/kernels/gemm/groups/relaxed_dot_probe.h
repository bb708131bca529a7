// WebAssembly's relaxed dot product multiplies a signed byte by a byte of 7 bits. It leaves open
// what happens when the second byte has its eighth bit set. This probe asks the machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::kernels {

enum class RelaxedDotOperand : uint8_t {
  Unsigned,   // as unsigned, exact (x86 with VNNI)
  Signed,     // as signed, exact (ARM)
  SevenBits,  // not usable: sums may saturate (x86 without VNNI)
};

// Takes about ten instructions.
template <class V>
[[nodiscard]] RelaxedDotOperand probe_relaxed_dot() {
  // Whether 4 * kLanes products of the bytes a and b add up to that many times `product`.
  const auto gives = [](int32_t a, int32_t b, int32_t product) {
    const auto everywhere = [](int32_t byte) {
      return V::splat_i32(static_cast<int32_t>(0x01010101U * static_cast<uint8_t>(byte)));
    };
    // Read from memory, so that no optimizer computes the answer at build time.
    const auto zero = V::template constant_i32<0>();
    const auto sums = V::add_dot_i8x4(everywhere(a), everywhere(b), zero);
    return V::reduce_add_i32(sums) == product * 4 * static_cast<int32_t>(V::kLanes);
  };
  if (gives(127, 255, 127 * 255) && gives(-128, 255, -128 * 255))
    return RelaxedDotOperand::Unsigned;
  if (gives(127, 255, -127) && gives(-128, 128, 128 * 128)) return RelaxedDotOperand::Signed;
  return RelaxedDotOperand::SevenBits;
}

}  // namespace ambry::kernels
