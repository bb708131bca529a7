// Names for words that a format cannot hold as they are: not UTF-8, or there twice.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::convert {

struct ValidWords {
  model::Vocabulary words;
  uint64_t n_replaced = 0;  // words that were not UTF-8, and have U+FFFD
  uint64_t n_numbered = 0;  // words that equalled an earlier one, and got a number: `word(2)`
};

// As many words, all of them valid UTF-8 and no two equal. LimitExceeded past 4 GiB.
[[nodiscard]] Result<ValidWords> make_valid(const model::Vocabulary& words);

// How many words are not UTF-8.
[[nodiscard]] uint64_t count_invalid(const model::Vocabulary& words);

}  // namespace ambry::convert
