// How much less each head attends to what lies further back, for models without position embeddings
// (Press, Smith and Lewis, "Train Short, Test Long", 2021).
#pragma once

#include <cstdint>
#include <vector>

namespace ambry::infer {

// One slope a head, above 0: a score falls by it for every position of distance. Powers of one
// ratio where the number of heads is a power of two; else those of the power below, and then every
// other one of the power above.
[[nodiscard]] std::vector<float> alibi_slopes(uint32_t n_heads);

}  // namespace ambry::infer
