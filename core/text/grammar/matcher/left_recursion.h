// Finds rules that begin with themselves. A matcher that reads from the left would never get past
// them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "text/grammar/form/grammar.h"
#include "text/grammar/matcher/transition_network.h"

namespace ambry::text {

// Unsupported, with the names of the rules in the circle. `nullable` of the network must be set.
[[nodiscard]] Result<void> refuse_left_recursion(const TransitionNetwork& network,
                                                 const Grammar& grammar, std::string_view path);

}  // namespace ambry::text
