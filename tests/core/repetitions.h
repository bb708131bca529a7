// How often a test repeats a check with other numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace ambry::testing {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// Sanitizers make a test ten times as slow, and each repetition touches memory in the same places.
// So they take one in eight; the other builds take all.
constexpr size_t repetitions(size_t all) { return kSanitized ? std::max<size_t>(all / 8, 1) : all; }

// For a test of one large thing.
#define AMBRY_TOO_SLOW_WITH_SANITIZERS()      \
  if constexpr (::ambry::testing::kSanitized) \
  GTEST_SKIP() << "too slow with sanitizers; the other builds run it"

}  // namespace ambry::testing
