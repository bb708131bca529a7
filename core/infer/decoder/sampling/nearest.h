// Selects tokens without sorting the vocabulary.
#pragma once

#include <cstdint>

#include "infer/decoder/sampling/candidates.h"

namespace ambry::infer {

// Keeps the fewest tokens, and at least `min_keep`, whose weights add up to more than `enough`:
// those with the logits nearest to `center`, and of equally near ones the likelier. Their order
// stays. All stay if that is not enough.
void keep_nearest(Candidates& candidates, double center, double enough, uint64_t min_keep);

}  // namespace ambry::infer
