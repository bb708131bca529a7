#include "base/order.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace ambry {

std::vector<uint32_t> sorted_order(size_t count, const void* context, ComesBefore comes_before) {
  assert(count <= UINT32_MAX);
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  // The position is the last criterion, which makes every order total. So heap sort, which is small
  // and never slow, gives the same result as a stable sort.
  const auto before = [&](uint32_t a, uint32_t b) {
    if (comes_before(context, a, b)) return true;
    return !comes_before(context, b, a) && a < b;
  };
  std::make_heap(order.begin(), order.end(), before);
  std::sort_heap(order.begin(), order.end(), before);
  return order;
}

}  // namespace ambry
