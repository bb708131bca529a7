// Groups texts of similar length into batches of bounded size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ambry::infer {

inline constexpr uint32_t kDefaultBatchTokens = 1024;

// Groups of indices into `lengths`, longest texts first, ties in the given order. Every index is in
// exactly one group. The lengths of a group add up to at most `max_tokens`, unless a single text is
// longer.
[[nodiscard]] std::vector<std::vector<uint32_t>> plan_batches(
    std::span<const uint32_t> lengths, uint32_t max_tokens = kDefaultBatchTokens);

}  // namespace ambry::infer
