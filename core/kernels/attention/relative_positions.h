// How models turn the distance of a key from a query into something to learn or to add.
#pragma once

#include <cstdint>
#include <vector>

namespace ambry::kernels {

// The slopes of ALiBi (Press, Smith and Lewis, "Train Short, Test Long", 2021), one a head. For a
// number of heads that is no power of two, those of the next smaller power come first, and then
// every other one of the next larger power.
[[nodiscard]] std::vector<float> alibi_slopes(uint32_t n_heads);

// The bucket of the distance key - query in T5 and MPNet: half of the buckets for later keys. In
// each half, the first half of the buckets has one distance each; the others grow by a constant
// factor up to `max_distance`. `n_buckets` is at least 4, `max_distance` more than n_buckets / 4.
[[nodiscard]] uint32_t t5_bucket(int64_t distance, uint32_t n_buckets, uint32_t max_distance);

// The place of the distance key - query among DeBERTa's 2 * span relative embeddings. With buckets,
// `n_buckets` is the span: distances below half of it have a place each, and the others share
// places that grow by a constant factor up to `max_distance`. Without (0), each distance below
// `max_distance`, which is the span then, has a place.
[[nodiscard]] uint32_t deberta_place(int64_t distance, uint32_t n_buckets, uint32_t max_distance);

}  // namespace ambry::kernels
