// Finds the tokens that occur more than once, among millions, in linear time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

struct RepeatedTokens {
  uint64_t count = 0;  // number of tokens that equal an earlier one
  // A few examples: the index of the token's first occurrence, and the index of the repetition.
  std::vector<std::pair<uint32_t, uint32_t>> examples;
};

// Uses at most 20 bytes of memory a token.
[[nodiscard]] RepeatedTokens find_repeated_tokens(const Vocabulary& tokens,
                                                  size_t max_examples = 10);

}  // namespace ambry::model
