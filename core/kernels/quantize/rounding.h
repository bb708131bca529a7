// Floats to whole numbers.
#pragma once

namespace ambry::kernels {

// What becomes the nearest whole number, halves away from 0, when it is cut towards 0. The float
// below a half: added to a half it rounds up to 1, and added to anything less it stays below 1;
// whole numbers from 2^23 on it leaves as they are.
template <class V>
[[nodiscard]] typename V::F32 with_rounding_bias(typename V::F32 v) {
  return V::add(v, V::copysign(V::template constant<0x1.fffffep-2F>(), v));
}

// The nearest whole number of one below 2^22, halves to the even one: the sum with 1.5 * 2^23 has
// it in its lowest bits.
template <class V>
[[nodiscard]] typename V::I32 round_to_i32(typename V::F32 v) {
  const auto magic = V::template constant<0x1.8p23F>();
  return V::sub_i32(V::bits_as_i32(V::add(v, magic)), V::bits_as_i32(magic));
}

}  // namespace ambry::kernels
