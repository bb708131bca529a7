#include "convert/tensor/order/axis_order.h"

#include <algorithm>
#include <array>

namespace ambry::convert {

void order_by_shape(const tensor::Shape& shape, std::span<const uint8_t> axes, Bytes stored,
                    MutableBytes ordered) {
  constexpr size_t kMaxRank = tensor::Shape::kMaxRank;
  const size_t element = stored.size() / static_cast<size_t>(shape.count().value_or(1));
  std::array<size_t, kMaxRank> step{};  // distance in bytes between neighbours along each axis
  size_t bytes = element;
  for (size_t i = axes.size(); i-- > 0;) {
    step[axes[i]] = bytes;
    bytes *= static_cast<size_t>(shape[axes[i]]);
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
