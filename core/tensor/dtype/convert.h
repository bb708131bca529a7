// Stored elements to and from float, element by element. Widening is exact; narrowing rounds to
// nearest even and refuses what does not fit, so that a finite weight never becomes infinity.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// `bytes` must hold exactly out.size() elements. F32, F16, BF16 and small integers are exact; F64
// and wide integers round to nearest even.
[[nodiscard]] Result<void> to_f32(DType dtype, Bytes bytes, std::span<float> out);

// `out` must hold exactly values.size() elements of a float type or an integer of up to 32 bits.
// Overflow for a finite value past the range of F16 or BF16; integers round to nearest even, and
// NaN or a value outside their range is BadValue. The message names the element.
[[nodiscard]] Result<void> from_f32(DType dtype, std::span<const float> values, MutableBytes out);

}  // namespace ambry::tensor
