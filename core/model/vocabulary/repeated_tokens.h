// Finds the tokens that occur more than once, among millions, in linear time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

struct RepeatedTokens {
  uint64_t count = 0;  // tokens that equal one with a lower index
  // A few, by index: of the token's first occurrence, and of the token.
  std::vector<std::pair<uint32_t, uint32_t>> examples;
};

// Takes at most 20 bytes a token while it runs.
[[nodiscard]] RepeatedTokens find_repeated_tokens(const Vocabulary& tokens,
                                                  size_t max_examples = 10);

}  // namespace ambry::model
