// Unrolls a loop of constant length completely, so that arrays indexed by its counter live in
// registers whatever the compiler's own unrolling limits are.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ambry {

// Calls body(i) for i = 0 … N-1. Inside it, `i` converts to a constant, unless kAsLoop is true.
template <size_t N, bool kAsLoop = false, class Body>
inline __attribute__((always_inline)) void unroll(Body&& body) {
  if constexpr (kAsLoop) {
    for (size_t i = 0; i < N; ++i) body(i);
  } else {
    [&]<size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (body(std::integral_constant<size_t, I>{}), ...);
    }(std::make_index_sequence<N>{});
  }
}

// For loops over vectors. Only Scalar, which no build ships, has many of them: unrolled, they would
// take most of the compilation of the tests.
template <class V>
inline constexpr bool kLoopOverVectors = V::kLanes == 1;

}  // namespace ambry
