// Reorders a tensor whose elements are not stored in the order of its shape: transposed views,
// channels last.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "tensor/dtype/shape.h"

namespace ambry::convert {

// `axes` are the shape's axes in the order of `stored`, outermost first. `ordered` receives the
// elements row after row. Both are whole tensors with at least one element.
void order_by_shape(const tensor::Shape& shape, std::span<const uint8_t> axes, Bytes stored,
                    MutableBytes ordered);

}  // namespace ambry::convert
