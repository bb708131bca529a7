// The token sequences that stand for the sequence breakers of DRY.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::infer {

// Each token whose text has one of `texts` in it, and each token whose text ends with the beginning
// of one, followed by the tokens of its rest. `texts` must not contain an empty text. LimitExceeded
// with the path `options.drySequenceBreakers` for more ids than a million.
[[nodiscard]] Result<std::vector<std::vector<uint32_t>>> breaker_sequences(
    const text::Tokenizer& tokenizer, std::span<const std::string> texts);

}  // namespace ambry::infer
