// How much of a long text must be read. Whoever takes only the first tokens of a text, or only
// wants to know whether it has so many, does not pay for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

// A beginning of the text that has more than twice `n_tokens` tokens, or the whole text. Words and
// merges at its end may differ from those of the whole text; its first `n_tokens` tokens do not.
[[nodiscard]] std::string_view beginning_of(const Tokenizer& tokenizer, std::string_view text,
                                            size_t n_tokens);

// The number of tokens without special ones, or `most` if there are more.
[[nodiscard]] size_t count_tokens(const Tokenizer& tokenizer, std::string_view text,
                                  size_t most = SIZE_MAX);

// LimitExceeded for a text that must not be cut and has more tokens than `most`. `n_tokens` is how
// many its beginning_of() has, and `has` begins the message.
[[nodiscard]] Failure too_long(const Text& path, uint64_t n_tokens, uint64_t most,
                               const char* has = "the text has ");

}  // namespace ambry::text
