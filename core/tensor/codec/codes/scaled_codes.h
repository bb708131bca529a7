// The numbers of one block as whole numbers that share a scale
// (core/formats/amb/README.md#quantizing): x ≈ code · scale.
#pragma once

#include <cstdint>
#include <span>

#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// The element of largest magnitude, the first one of several; one that is not finite when any is
// not. 0 for none.
[[nodiscard]] float signed_extreme(std::span<const float> values);

// The scale that makes a block's extreme exact: over 127 in magnitude for Int8, over -8 for Int4
// and -16 for Int5. 0 for zeros only, 1 for F16, which needs none.
[[nodiscard]] float ideal_scale(DType code, float extreme);

// Whether the scale neither overflows F16 nor vanishes in it.
[[nodiscard]] bool fits_half(float scale);

// Rounds half to even against `scale`, within -127..127, -8..7 or -16..15. `values` are finite.
void quantize_codes(DType code, std::span<const float> values, float scale, int8_t* to);

}  // namespace ambry::tensor
