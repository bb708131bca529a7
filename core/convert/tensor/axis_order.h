// Elements of a tensor that are stored in another order of its axes than its shape's: transposed
// views, channels last.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "tensor/shape.h"

namespace ambry::convert {

// `axes` are those of the shape, outermost first as `stored` has them; `ordered` gets the elements
// row after row. Both are whole tensors of at least one element.
void order_by_shape(const tensor::Shape& shape, std::span<const uint8_t> axes, Bytes stored,
                    MutableBytes ordered);

}  // namespace ambry::convert
