// e^x, at most 1 ULP off where the result is a normal float. Below that (x < -87.33) the result is
// 0, above (x > 88.72) infinity. NaN stays NaN.
//
// x = n ln 2 + r with |r| <= ln(2)/2. e^r is a polynomial (tests/reference/fit_functions.py); 2^n
// goes to the exponent field. ln 2 is split in two (Cody and Waite), so that n * kLn2High is exact.
#pragma once

#include <limits>

namespace ambry::kernels {

inline constexpr float kLowestExponent = -87.3365479F;
inline constexpr float kHighestExponent = 88.7228394F;

// e^x for kLowestExponent <= x <= kHighestExponent.
template <class V>
[[nodiscard, gnu::always_inline]] inline typename V::F32 exp_in_range(typename V::F32 x) {
  constexpr float kLog2e = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kMinusLn2Low = 2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer

  const auto round = V::template constant<kRound>();
  const auto biased_n = V::add(V::mul(x, V::template constant<kLog2e>()), round);
  const auto n = V::sub(biased_n, round);
  auto r = V::sub(x, V::mul(n, V::template constant<kLn2High>()));
  r = V::madd(n, V::template constant<kMinusLn2Low>(), r);

  auto p = V::template constant<0.00138145988F>();
  p = V::madd(p, r, V::template constant<0.00836871658F>());
  p = V::madd(p, r, V::template constant<0.041668389F>());
  p = V::madd(p, r, V::template constant<0.166665211F>());
  p = V::madd(p, r, V::template constant<0.49999994F>());
  p = V::add(V::madd(V::mul(p, r), r, r), V::template constant<1.0F>());
  return V::add_exponent(p, biased_n);
}

// e^x for x <= 0 or NaN.
template <class V>
[[nodiscard, gnu::always_inline]] inline typename V::F32 exp_of_negative(typename V::F32 x) {
  const auto lowest = V::template constant<kLowestExponent>();
  return V::select(V::less(x, lowest), V::zero(), exp_in_range<V>(V::max(x, lowest)));
}

template <class V>
[[nodiscard]] typename V::F32 exp(typename V::F32 x) {
  const auto lowest = V::template constant<kLowestExponent>();
  const auto highest = V::template constant<kHighestExponent>();
  auto result = exp_in_range<V>(V::min(V::max(x, lowest), highest));
  result = V::select(V::less(x, lowest), V::zero(), result);
  const auto infinity = V::splat(std::numeric_limits<float>::infinity());
  result = V::select(V::less(highest, x), infinity, result);
  return V::select(V::equal(x, x), result, x);
}

}  // namespace ambry::kernels
