// A number in every lane, as an instruction reads it from memory. A constant vector written into
// the code takes V8 three instructions, two of them from a general register, each time it is met:
// more than a step of a polynomial that it belongs to.
#pragma once

namespace ambry::simd {

template <auto kValue>
inline constexpr auto kInMemory = kValue;

// The address of a constant, which the compiler does not know to be one.
template <auto kValue>
[[nodiscard]] inline auto* address_of_constant() {
  auto* address = &kInMemory<kValue>;
#if defined(__wasm_simd128__)
  asm("" : "+r"(address));
#endif
  return address;
}

}  // namespace ambry::simd
