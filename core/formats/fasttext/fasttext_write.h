// Writes fastText models of words and character n-grams. Both reference implementations of
// finalfusion and fastText itself can read them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/words/word_vocabulary.h"

namespace ambry::formats::fasttext {

// Whether a dictionary can store the word.
[[nodiscard]] bool can_hold(std::string_view word);

// The bytes before the floats of n_rows() rows, with which the file ends: the readers do not need
// an output matrix. `words` must be a FastText vocabulary, or a Simple one, which gives a model
// without n-grams. Unsupported or LimitExceeded for others.
[[nodiscard]] Result<std::vector<uint8_t>> put_head(const model::WordVocabulary& words,
                                                    uint64_t dims);

}  // namespace ambry::formats::fasttext
