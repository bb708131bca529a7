#include "model/file/tensor_index.h"

#include "base/order.h"

namespace ambry::model {

TensorIndex::TensorIndex(const std::vector<TensorEntry>& tensors, Key key)
    : tensors_(tensors),
      key_(key),
      order_(sorted_order(tensors.size(), [&](uint32_t a, uint32_t b) {
        return key(tensors[a].name) < key(tensors[b].name);
      })) {}

std::string_view TensorIndex::name_at(size_t i) const { return key_(tensors_[order_[i]].name); }

const TensorEntry* TensorIndex::find(std::string_view canonical_name) const {
  size_t low = 0;
  size_t high = order_.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (name_at(middle) < canonical_name) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == order_.size() || name_at(low) != canonical_name) return nullptr;
  return &tensors_[order_[low]];
}

}  // namespace ambry::model
