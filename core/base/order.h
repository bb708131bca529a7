// Sorting without a sort function per type: returns the order as positions, from one routine that
// all rooms share. Every instance of std::sort would add about 5 KB to the WebAssembly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace ambry {

using ComesBefore = bool (*)(const void* context, uint32_t a, uint32_t b);

[[nodiscard]] std::vector<uint32_t> sorted_order(size_t count, const void* context,
                                                 ComesBefore comes_before);

// The positions 0 … count-1 in the order of `comes_before(a, b)`, a strict weak order over
// positions. Ties keep their sequence. count < 2^32.
template <class Before>
[[nodiscard]] std::vector<uint32_t> sorted_order(size_t count, const Before& comes_before) {
  return sorted_order(count, &comes_before, [](const void* context, uint32_t a, uint32_t b) {
    return static_cast<bool>((*static_cast<const Before*>(context))(a, b));
  });
}

// Sorts the items themselves. Ties keep their sequence.
template <class T, class Before>
void sort_items(std::vector<T>& items, const Before& comes_before) {
  const std::vector<uint32_t> order = sorted_order(
      items.size(), [&](uint32_t a, uint32_t b) { return comes_before(items[a], items[b]); });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const uint32_t position : order) sorted.push_back(std::move(items[position]));
  items = std::move(sorted);
}

}  // namespace ambry
