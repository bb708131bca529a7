// Rounding of floats to integers.
#pragma once

namespace ambry::kernels {

// Truncating the result rounds v to the nearest integer, ties away from 0. It adds the largest
// float below a half: a tie still rounds up to the next integer, anything less stays below it, and
// integers from 2^23 on stay as they are.
template <class V>
[[nodiscard]] typename V::F32 with_rounding_bias(typename V::F32 v) {
  return V::add(v, V::copysign(V::template constant<0x1.fffffep-2F>(), v));
}

// Rounds a value below 2^22 to the nearest integer, ties to even: the sum with 1.5 * 2^23 has it in
// its lowest bits.
template <class V>
[[nodiscard]] typename V::I32 round_to_i32(typename V::F32 v) {
  const auto magic = V::template constant<0x1.8p23F>();
  return V::sub_i32(V::bits_as_i32(V::add(v, magic)), V::bits_as_i32(magic));
}

}  // namespace ambry::kernels
