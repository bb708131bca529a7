#include "convert/tensor/order/rope_permutation.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace ambry::convert {

void permute_rows(const RopePermutation& order, uint64_t row_bytes, MutableBytes rows) {
  if (order.change == RopePermutation::Change::None) return;
  const auto row = static_cast<size_t>(row_bytes);
  const size_t half = order.head_dim / 2;
  const size_t head = order.head_dim * row;
  assert(rows.size() % head == 0);
  std::vector<uint8_t> before(head);
  for (size_t begin = 0; begin < rows.size(); begin += head) {
    const MutableBytes now = rows.subspan(begin, head);
    std::ranges::copy(now, before.begin());
    for (size_t i = 0; i < order.head_dim; ++i) {
      const size_t interleaved = 2 * (i % half) + i / half;
      const bool to_half = order.change == RopePermutation::Change::ToHalf;
      const size_t from = to_half ? interleaved : i;
      const size_t to = to_half ? i : interleaved;
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(from * row), row,
                  now.begin() + static_cast<std::ptrdiff_t>(to * row));
    }
  }
}

}  // namespace ambry::convert
