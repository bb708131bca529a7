#include "convert/tensor/order/stride_order.h"

#include <algorithm>
#include <array>

namespace ambry::convert {

uint64_t bytes_held(const tensor::Shape& shape, std::span<const uint64_t> strides, uint64_t bytes) {
  const uint64_t element = bytes / shape.count().value_or(1);
  uint64_t span = 1;
  for (size_t axis = 0; axis < shape.rank(); ++axis) span += (shape[axis] - 1) * strides[axis];
  return span * element;
}

void order_by_shape(const tensor::Shape& shape, std::span<const uint64_t> strides, Bytes stored,
                    MutableBytes ordered) {
  constexpr size_t kMaxRank = tensor::Shape::kMaxRank;
  const size_t element = ordered.size() / static_cast<size_t>(shape.count().value_or(1));
  std::array<size_t, kMaxRank> step{};  // distance in bytes between neighbours along each axis
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    // An axis of one element may have any stride, and nothing goes along it.
    step[axis] = shape[axis] == 1 ? 0 : static_cast<size_t>(strides[axis]) * element;
  }
  std::array<uint64_t, kMaxRank> index{};
  size_t from = 0;
  for (size_t to = 0; to < ordered.size(); to += element) {
    std::ranges::copy(stored.subspan(from, element), ordered.subspan(to).begin());
    for (size_t axis = shape.rank(); axis-- > 0;) {
      from += step[axis];
      if (++index[axis] < shape[axis]) break;
      from -= step[axis] * static_cast<size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
}

}  // namespace ambry::convert
