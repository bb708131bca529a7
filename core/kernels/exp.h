// e^x, at most 1 ULP off where the result is a normal float; 0 below that (x < -87.33) and infinity
// above (x > 88.72); NaN stays.
//
// x = n ln 2 + r with |r| <= ln(2)/2, then e^r by a polynomial (tests/reference/fit_functions.py)
// and 2^n by the exponent field. ln 2 is split in two (Cody and Waite), so that n * kLn2High is
// exact.
#pragma once

#include <limits>

namespace ambry::kernels {

template <class V>
[[nodiscard]] typename V::F32 exp(typename V::F32 x) {
  constexpr float kLog2e = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kMinusLn2Low = 2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  constexpr float kLowest = -87.3365479F;
  constexpr float kHighest = 88.7228394F;

  const auto clamped = V::min(V::max(x, V::splat(kLowest)), V::splat(kHighest));
  const auto biased_n = V::add(V::mul(clamped, V::splat(kLog2e)), V::splat(kRound));
  const auto n = V::sub(biased_n, V::splat(kRound));
  auto r = V::sub(clamped, V::mul(n, V::splat(kLn2High)));
  r = V::madd(n, V::splat(kMinusLn2Low), r);

  auto p = V::splat(0.00138145988F);
  p = V::madd(p, r, V::splat(0.00836871658F));
  p = V::madd(p, r, V::splat(0.041668389F));
  p = V::madd(p, r, V::splat(0.166665211F));
  p = V::madd(p, r, V::splat(0.49999994F));
  p = V::add(V::madd(V::mul(p, r), r, r), V::splat(1.0F));

  auto result = V::add_exponent(p, biased_n);
  result = V::select(V::less(x, V::splat(kLowest)), V::zero(), result);
  const auto infinity = V::splat(std::numeric_limits<float>::infinity());
  result = V::select(V::less(V::splat(kHighest), x), infinity, result);
  return V::select(V::equal(x, x), result, x);
}

}  // namespace ambry::kernels
