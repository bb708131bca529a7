// BPE without a list of merges, as tiktoken has it: two neighbours merge if their bytes together
// are a token, and the token of the lowest rank comes first.
#pragma once

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

// The list of merges that gives the same ids. `tokens` are byte strings in the order of their
// ranks. They are distinct, and each single byte is one of them. The result has two parts for each
// merge, spelled in GPT-2's alphabet. A token that merging never makes has no merge: it is only
// found as a whole word, so `ignore_merges` belongs to the list. Takes n log n steps.
[[nodiscard]] Vocabulary merges_by_rank(const Vocabulary& tokens);

}  // namespace ambry::model
