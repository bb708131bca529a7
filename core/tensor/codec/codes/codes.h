// Packs and unpacks the codes of quantized elements (codec_layout.h says how they lie).
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

// `n` codes that start at `from`, as numbers without their scale. `code` is Int8, Int4, Int5 or
// F16.
void unpack_codes(DType code, const uint8_t* from, size_t n, float* to);

// `n` whole numbers within the code's range; writes code_bytes(code, n) bytes. Not for F16.
void pack_codes(DType code, const int8_t* from, size_t n, uint8_t* to);

}  // namespace ambry::tensor
