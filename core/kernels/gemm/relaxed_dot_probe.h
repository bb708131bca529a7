// What a machine makes of relaxed products of bytes when the second factor has its eighth bit set:
// WebAssembly leaves that open.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::kernels {

enum class RelaxedDotOperand : uint8_t {
  Unsigned,   // 128 and more, exactly (x86 with VNNI)
  Signed,     // less than 0, exactly (ARM)
  SevenBits,  // products may saturate (x86 without VNNI)
};

// Asked in some ten instructions.
template <class V>
[[nodiscard]] RelaxedDotOperand probe_relaxed_dot() {
  // Whether 4 * kLanes products of a and of the byte b count as `product` each.
  const auto gives = [](int32_t a, int32_t b, int32_t product) {
    const auto everywhere = [](int32_t byte) {
      return V::splat_i32(static_cast<int32_t>(0x01010101U * static_cast<uint8_t>(byte)));
    };
    // From memory, so that no tool answers for the machine while this is built.
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
