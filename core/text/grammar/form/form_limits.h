// Limits that all ways to write a form share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::text {

inline constexpr size_t kMaxFormBytes = size_t{1} << 20;
inline constexpr unsigned kMaxGroupDepth = 64;
inline constexpr size_t kMaxClassParts = 4096;
inline constexpr uint32_t kMaxRepetitions = 100'000;

}  // namespace ambry::text
