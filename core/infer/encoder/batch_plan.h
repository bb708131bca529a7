// Which texts run together: texts of like length, in batches of bounded size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::infer {

inline constexpr uint32_t kDefaultBatchTokens = 1024;
// Where several threads share the batches: so that all have work to the end.
inline constexpr uint32_t kWorkerBatchTokens = 256;

// Groups of indices into `lengths`, longest texts first and ties in the given order; every index is
// in exactly one group. The lengths of a group add up to at most `max_tokens`, unless one text
// alone is longer.
[[nodiscard]] std::vector<std::vector<uint32_t>> plan_batches(
    std::span<const uint32_t> lengths, uint32_t max_tokens = kDefaultBatchTokens);

}  // namespace ambry::infer
