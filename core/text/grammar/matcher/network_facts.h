// Which nodes of a network lead to the end of their rule.
#pragma once

#include <cstdint>
#include <vector>

#include "text/grammar/matcher/transition_network.h"

namespace ambry::text {

enum class PassBytes : uint8_t { No, Yes };

// For each node: whether the end of its rule can be reached from it by some text, or, without
// passing bytes, by the empty text.
[[nodiscard]] std::vector<bool> nodes_that_complete(const TransitionNetwork& network,
                                                    PassBytes pass_bytes);

}  // namespace ambry::text
