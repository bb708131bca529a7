// Writes fastText models of words and the n-grams of their characters, as both reference
// implementations of finalfusion read them and fastText itself does.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/words/word_vocabulary.h"

namespace ambry::formats::fasttext {

// Whether a dictionary can hold the word.
[[nodiscard]] bool can_hold(std::string_view word);

// All that comes before the floats of n_rows() rows, with which the file ends: fastText does
// without the output matrix, as do the others. `words` is a FastText vocabulary, or a Simple one,
// which becomes a model without n-grams. Unsupported or LimitExceeded for others.
[[nodiscard]] Result<std::vector<uint8_t>> put_head(const model::WordVocabulary& words,
                                                    uint64_t dims);

}  // namespace ambry::formats::fasttext
