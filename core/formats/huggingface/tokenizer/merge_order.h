// Whether scores of pieces say all that a list of merges says.
#pragma once

#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// Whether `scores`, which come from the ranks of `merges`, order the pieces as the list does: it
// has every way to make a piece of two others, and those of one piece follow each other. In which
// order these come, and whether those of a run of one character follow each other, does not count.
[[nodiscard]] bool scores_say_merges(const model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
