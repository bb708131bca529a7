// Unrolls a loop of constant length completely, so that arrays indexed by its counter live in
// registers whatever the compiler's own unrolling limits are.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ambry::kernels {

// Calls body(i) for i = 0 … N-1. Inside it, `i` converts to a constant.
template <size_t N, class Body>
inline __attribute__((always_inline)) void unroll(Body&& body) {
  [&]<size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (body(std::integral_constant<size_t, I>{}), ...);
  }(std::make_index_sequence<N>{});
}

}  // namespace ambry::kernels
