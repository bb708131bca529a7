// Tables that are made of shared parts.
#pragma once

#include <array>
#include <cstddef>

namespace ambry {

// The elements of all groups, in order.
template <class T, size_t... N>
constexpr std::array<T, (N + ...)> join_arrays(const std::array<T, N>&... groups) {
  std::array<T, (N + ...)> joined;
  size_t n = 0;
  const auto add = [&](const auto& group) {
    for (const T& element : group) joined[n++] = element;
  };
  (add(groups), ...);
  return joined;
}

}  // namespace ambry
