// The sine and the cosine of an angle in radians. Those of the C library carry 2.7 KB of digits of
// 2/π for angles that no position has.
#pragma once

namespace ambry::infer {

struct SineCosine {
  double sine;
  double cosine;
};

// As exact as the C library up to 2^26, and with an error of at most `angle` · 2^-51 above. NaN for
// an angle that is not finite.
[[nodiscard]] SineCosine sine_cosine(double angle);

}  // namespace ambry::infer
