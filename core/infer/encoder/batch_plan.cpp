#include "infer/encoder/batch_plan.h"

#include "base/order.h"

namespace ambry::infer {

std::vector<std::vector<uint32_t>> plan_batches(std::span<const uint32_t> lengths,
                                                uint32_t max_tokens) {
  const auto order =
      sorted_order(lengths.size(), [&](uint32_t a, uint32_t b) { return lengths[a] > lengths[b]; });

  std::vector<std::vector<uint32_t>> batches;
  uint64_t n_tokens = 0;
  for (const uint32_t text : order) {
    n_tokens += lengths[text];
    if (batches.empty() || n_tokens > max_tokens) {
      batches.emplace_back();
      n_tokens = lengths[text];
    }
    batches.back().push_back(text);
  }
  return batches;
}

}  // namespace ambry::infer
