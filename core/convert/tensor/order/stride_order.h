// Reorders a tensor whose elements are not stored row after row: transposed views, channels last,
// slices, steps, and elements that stand for many.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "tensor/dtype/shape.h"

namespace ambry::convert {

// How many stored bytes a tensor spans, from its first element to its last. `bytes` are those of
// all its elements, at least one. The parser has checked that the span lies in the file.
[[nodiscard]] uint64_t bytes_held(const tensor::Shape& shape, std::span<const uint64_t> strides,
                                  uint64_t bytes);

// `strides` count elements between neighbours along each axis, and `stored` is what the tensor
// spans. `ordered` receives the elements row after row; there is at least one.
void order_by_shape(const tensor::Shape& shape, std::span<const uint64_t> strides, Bytes stored,
                    MutableBytes ordered);

}  // namespace ambry::convert
